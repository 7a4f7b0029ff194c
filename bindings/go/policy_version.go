package aura

// #include "shim.h"
//
// READ(go_propose, aura_policy_version_propose(engine, ASKED, PTR(proposal), &read.buffer, &read.error),
//      _GoString_ proposal)
// READ(go_approve, aura_policy_version_approve(engine, ASKED, PTR(subject), PTR(version), &read.buffer, &read.error),
//      _GoString_ subject, _GoString_ version)
// READ(go_versions, aura_policy_version_list(engine, ASKED, PTR(query), &read.buffer, &read.error), _GoString_ query)
// READ(go_artifact, aura_artifact_read(engine, ASKED, PTR(handle), &read.buffer, &read.error), _GoString_ handle)
import "C"

import (
	"context"
	"runtime"
	"time"
)

// PolicyProposal is a version of a policy of the tenant, such as which refunds are granted.
type PolicyProposal struct {
	// Subject is what the policy is about.
	Subject string `json:"subject"`
	Version string `json:"version"`
	// Text is what it says.
	Text string `json:"text"`
	// Authority is 0 to 5; nil is 5.
	Authority     *int       `json:"authority,omitempty"`
	Source        string     `json:"source,omitempty"`
	EffectiveFrom *time.Time `json:"effective_from,omitempty"`
	ExpiresAt     *time.Time `json:"expires_at,omitempty"`
	Labels        []string   `json:"labels,omitempty"`
}

// PolicySignature says who proposed or approved a version, and when.
type PolicySignature struct {
	Agent string    `json:"agent"`
	User  string    `json:"user"`
	At    time.Time `json:"at"`
}

// PolicyVersion is a version of a policy as it is stored.
type PolicyVersion struct {
	Policy   PolicyProposal  `json:"policy"`
	Proposed PolicySignature `json:"proposed"`
	// Approved is nil until it is approved.
	Approved *PolicySignature `json:"approved"`
}

// PolicyVersionQuery says which versions to list. The zero value lists the first 1,000.
type PolicyVersionQuery struct {
	Subject      string `json:"subject,omitempty"`
	ApprovedOnly bool   `json:"approved_only,omitempty"`
	Skip         int    `json:"skip,omitempty"`
	Limit        int    `json:"limit,omitempty"`
}

// ProposePolicy keeps a version of a policy; until it is approved no block may claim it. Nil is the default principal.
func (engine *Engine) ProposePolicy(ctx context.Context, who *Principal, proposal PolicyProposal) (stored PolicyVersion, err error) {
	labels, text, err := prepared(ctx, "propose_policy", who, proposal)
	if err != nil {
		return stored, err
	}
	defer runtime.KeepAlive(engine)
	has, tenant, agent, on, labels := asker(who, labels)
	err = parsed(C.go_propose(engine.native, has, tenant, agent, on, labels, text), &stored)
	return stored, err
}

// ApprovePolicy approves a version of a policy: from then on a block may claim it. Who may call this is yours to decide.
func (engine *Engine) ApprovePolicy(ctx context.Context, who *Principal, subject, version string) (stored PolicyVersion, err error) {
	labels, _, err := prepared(ctx, "approve_policy", who, nil)
	if err != nil {
		return stored, err
	}
	defer runtime.KeepAlive(engine)
	has, tenant, agent, on, labels := asker(who, labels)
	err = parsed(C.go_approve(engine.native, has, tenant, agent, on, labels, subject, version), &stored)
	return stored, err
}

// PolicyVersions lists versions of policies, by subject, then in the order proposed. Nil is the default principal.
func (engine *Engine) PolicyVersions(ctx context.Context, who *Principal, query PolicyVersionQuery) (found []PolicyVersion, err error) {
	labels, text, err := prepared(ctx, "policies", who, query)
	if err != nil {
		return nil, err
	}
	defer runtime.KeepAlive(engine)
	has, tenant, agent, on, labels := asker(who, labels)
	err = parsed(C.go_versions(engine.native, has, tenant, agent, on, labels, text), &found)
	return found, err
}

// ReadArtifact reads the bytes that a handle stands for, such as "artifact://default/report@1#5d41…".
func (engine *Engine) ReadArtifact(ctx context.Context, who *Principal, handle string) ([]byte, error) {
	labels, _, err := prepared(ctx, "read_artifact", who, nil)
	if err != nil {
		return nil, err
	}
	defer runtime.KeepAlive(engine)
	has, tenant, agent, on, labels := asker(who, labels)
	read := C.go_artifact(engine.native, has, tenant, agent, on, labels, handle)
	if err := failure(read.status, read.error); err != nil {
		return nil, err
	}
	defer C.aura_buffer_free(read.buffer)
	return []byte(goString(C.aura_buffer_text(read.buffer))), nil
}
