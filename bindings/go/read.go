package aura

// #include "shim.h"
//
// READ(go_list, aura_session_list(engine, ASKED, PTR(query), &read.buffer, &read.error), _GoString_ query)
// READ(go_describe, aura_session_describe(engine, ASKED, PTR(id), &read.buffer, &read.error), _GoString_ id)
// READ(go_turns, aura_session_turns(engine, ASKED, PTR(id), first, limit, &read.buffer, &read.error),
//      _GoString_ id, uint32_t first, size_t limit)
// READ(go_messages, aura_session_messages(engine, ASKED, PTR(id), first, last, &read.buffer, &read.error),
//      _GoString_ id, uint64_t first, uint64_t last)
// READ(go_facts, aura_session_facts(engine, ASKED, PTR(id), PTR(as_of), &read.buffer, &read.error),
//      _GoString_ id, _GoString_ as_of)
// READ(go_manifest, aura_manifest_read(engine, ASKED, PTR(id), &read.buffer, &read.error), _GoString_ id)
// READ(go_manifests, aura_manifest_list(engine, ASKED, PTR(query), &read.buffer, &read.error), _GoString_ query)
// READ(go_explain, aura_manifest_explain(engine, ASKED, PTR(id), PTR(block), &read.buffer, &read.error),
//      _GoString_ id, _GoString_ block)
import "C"

import (
	"context"
	"encoding/json"
	"math"
	"runtime"
	"time"
)

// SessionInfo is what the engine knows of a session.
type SessionInfo struct {
	ID        string    `json:"session_id"`
	Tenant    string    `json:"tenant"`
	User      string    `json:"user"`
	Agent     string    `json:"agent"`
	CreatedAt time.Time `json:"created_at"`
	ChangeSeq uint64    `json:"change_seq"`
	// Head is the index of the turn that a new one follows by default.
	Head      *int   `json:"head"`
	Turns     int    `json:"turns"`
	LastEvent uint64 `json:"last_event"`
}

// StoredMessage is a message as the log holds it.
type StoredMessage struct {
	EventID    uint64    `json:"event_id"`
	Turn       int       `json:"turn"`
	RecordedAt time.Time `json:"recorded_at"`
	Message    Message   `json:"message"`
}

// TurnRecord is a turn with its messages.
type TurnRecord struct {
	Turn struct {
		ID         string     `json:"turn_id"`
		Index      int        `json:"index"`
		Status     TurnStatus `json:"status"`
		Parent     *int       `json:"parent"`
		RecordedAt time.Time  `json:"recorded_at"`
	} `json:"turn"`
	Messages []StoredMessage `json:"messages"`
}

// Fact is a short statement about a session, with its sources and both time axes.
type Fact struct {
	ID            string     `json:"fact_id"`
	Text          string     `json:"text"`
	Subject       string     `json:"subject"`
	Sources       []uint64   `json:"sources"`
	Trust         string     `json:"trust"`
	ValidFrom     time.Time  `json:"valid_from"`
	ValidTo       *time.Time `json:"valid_to"`
	RecordedAt    time.Time  `json:"recorded_at"`
	InvalidatedAt *time.Time `json:"invalidated_at"`
	InvalidatedBy uint64     `json:"invalidated_by"`
	ReplacedBy    string     `json:"replaced_by"`
}

// Describe says what the engine knows of the session.
func (session *Session) Describe(ctx context.Context) (info SessionInfo, err error) {
	if err = session.begin(ctx, "session"); err != nil {
		return info, err
	}
	defer runtime.KeepAlive(session.engine)
	has, tenant, agent, on, labels := session.asker()
	err = parsed(C.go_describe(session.engine.native, has, tenant, agent, on, labels, session.id), &info)
	return info, err
}

// Turns reads at most limit turns with their messages, from index first on.
func (session *Session) Turns(ctx context.Context, first, limit int) (turns []TurnRecord, err error) {
	if err = session.begin(ctx, "turns"); err != nil {
		return nil, err
	}
	if first < 0 || first > math.MaxUint32 || limit < 0 {
		return nil, invalid("first", "and limit must not be negative")
	}
	defer runtime.KeepAlive(session.engine)
	has, tenant, agent, on, labels := session.asker()
	err = parsed(C.go_turns(session.engine.native, has, tenant, agent, on, labels, session.id, C.uint32_t(first),
		C.size_t(limit)), &turns)
	return turns, err
}

// Messages reads the messages of a range of events, both ends included.
func (session *Session) Messages(ctx context.Context, first, last uint64) (messages []StoredMessage, err error) {
	if err = session.begin(ctx, "messages"); err != nil {
		return nil, err
	}
	defer runtime.KeepAlive(session.engine)
	has, tenant, agent, on, labels := session.asker()
	err = parsed(C.go_messages(session.engine.native, has, tenant, agent, on, labels, session.id, C.uint64_t(first),
		C.uint64_t(last)), &messages)
	return messages, err
}

// Facts reads all facts of the session, past ones too.
func (session *Session) Facts(ctx context.Context) ([]Fact, error) { return session.facts(ctx, "") }

// FactsAt reads the facts that held at a time, as far as the engine knew at another.
func (session *Session) FactsAt(ctx context.Context, valid, known time.Time) ([]Fact, error) {
	at := func(at time.Time) string { return at.UTC().Format("2006-01-02T15:04:05.000Z") }
	asOf, err := encode("as_of", map[string]string{"valid": at(valid), "known": at(known)})
	if err != nil {
		return nil, err
	}
	return session.facts(ctx, asOf)
}

func (session *Session) facts(ctx context.Context, asOf string) (facts []Fact, err error) {
	if err = session.begin(ctx, "facts"); err != nil {
		return nil, err
	}
	defer runtime.KeepAlive(session.engine)
	has, tenant, agent, on, labels := session.asker()
	err = parsed(C.go_facts(session.engine.native, has, tenant, agent, on, labels, session.id, asOf), &facts)
	return facts, err
}

// SessionQuery says which sessions to list. The zero value lists the first 1,000.
type SessionQuery struct {
	User  string `json:"user,omitempty"`
	Agent string `json:"agent,omitempty"`
	// After is a session id, for the next page.
	After string `json:"after,omitempty"`
	Limit int    `json:"limit,omitempty"`
}

// ManifestQuery says which manifests to list, newest first. The zero value lists the newest 100.
type ManifestQuery struct {
	SessionID string     `json:"session_id,omitempty"`
	Since     *time.Time `json:"since,omitempty"`
	Until     *time.Time `json:"until,omitempty"`
	Limit     int        `json:"limit,omitempty"`
}

// Explanation says whether a block was a candidate for a context, lost, or won and was cut.
type Explanation struct {
	Answer   string `json:"answer"`
	Sentence string `json:"sentence"`
}

// Sessions lists the sessions that the principal may see, by id. Nil is the default principal.
func (engine *Engine) Sessions(ctx context.Context, who *Principal, query SessionQuery) (found []SessionInfo, err error) {
	labels, text, err := prepared(ctx, "sessions", who, query)
	if err != nil {
		return nil, err
	}
	defer runtime.KeepAlive(engine)
	has, tenant, agent, on, labels := asker(who, labels)
	err = parsed(C.go_list(engine.native, has, tenant, agent, on, labels, text), &found)
	return found, err
}

// Manifest reads the manifest of a context as JSON. Nil is the default principal.
func (engine *Engine) Manifest(ctx context.Context, who *Principal, requestID string) (found json.RawMessage, err error) {
	labels, _, err := prepared(ctx, "manifest", who, nil)
	if err != nil {
		return nil, err
	}
	defer runtime.KeepAlive(engine)
	has, tenant, agent, on, labels := asker(who, labels)
	err = parsed(C.go_manifest(engine.native, has, tenant, agent, on, labels, requestID), &found)
	return found, err
}

// Manifests lists manifests as JSON, newest first. Nil is the default principal.
func (engine *Engine) Manifests(ctx context.Context, who *Principal, query ManifestQuery) (found []json.RawMessage, err error) {
	labels, text, err := prepared(ctx, "manifests", who, query)
	if err != nil {
		return nil, err
	}
	defer runtime.KeepAlive(engine)
	has, tenant, agent, on, labels := asker(who, labels)
	err = parsed(C.go_manifests(engine.native, has, tenant, agent, on, labels, text), &found)
	return found, err
}

// Explain says what became of a block ("event:12", "turn:3", "question") in a context. Nil is the default principal.
func (engine *Engine) Explain(ctx context.Context, who *Principal, requestID, block string) (found Explanation, err error) {
	labels, _, err := prepared(ctx, "explain", who, nil)
	if err != nil {
		return found, err
	}
	defer runtime.KeepAlive(engine)
	has, tenant, agent, on, labels := asker(who, labels)
	err = parsed(C.go_explain(engine.native, has, tenant, agent, on, labels, requestID, block), &found)
	return found, err
}

func prepared(ctx context.Context, op string, who *Principal, query any) (labels, text string, err error) {
	if err := ctx.Err(); err != nil {
		return "", "", ended(op, err)
	}
	if labels, err = who.labels(); err != nil {
		return "", "", err
	}
	if query != nil {
		text, err = encode("query", query)
	}
	return labels, text, err
}
