package aura

// #include "shim.h"
//
// typedef struct {
//   aura_status status;
//   aura_error *error;
//   aura_policy *policy;
// } go_policy;
//
// static go_policy go_policy_new(_GoString_ json) {
//   go_policy made = {AURA_STATUS_OK, NULL, NULL};
//   made.status = aura_policy_new(PTR(json), &made.policy, &made.error);
//   return made;
// }
//
// static go_json go_policy_json(const aura_policy *policy) {
//   go_json read = {AURA_STATUS_OK, NULL, NULL, NULL};
//   read.status = aura_policy_json(policy, &read.buffer, &read.error);
//   return read;
// }
import "C"

import "runtime"

// PolicyFields are the fields of a policy by their names, such as {"token_budget": 2000, "recency_turns": 4}. Fields left out
// have their defaults; an unknown one, or a value out of range, is ErrInvalid, and the error names it.
type PolicyFields map[string]any

// Policy is a policy that was read and checked once, for any number of calls, goroutines and engines. Immutable.
type Policy struct {
	native *C.aura_policy
}

// How is how a context is compiled: PolicyFields, or a *Policy made of them once.
type How interface{ compiled() (*Policy, error) }

// NewPolicy reads and checks a policy.
func NewPolicy(fields PolicyFields) (*Policy, error) {
	text, err := encode("policy", fields)
	if err != nil {
		return nil, err
	}
	made := C.go_policy_new(text)
	if err := failure(made.status, made.error); err != nil {
		return nil, err
	}
	policy := &Policy{native: made.policy}
	runtime.AddCleanup(policy, func(native *C.aura_policy) { C.aura_policy_free(native) }, made.policy)
	return policy, nil
}

// Fields is the whole policy, defaults included.
func (policy *Policy) Fields() (fields PolicyFields, err error) {
	defer runtime.KeepAlive(policy)
	err = parsed(C.go_policy_json(policy.native), &fields)
	return fields, err
}

func (policy *Policy) compiled() (*Policy, error) { return policy, nil }

func (fields PolicyFields) compiled() (*Policy, error) { return NewPolicy(fields) }
