package aura

// #include "shim.h"
//
// typedef struct {
//   aura_status status;
//   aura_error *error;
//   aura_context *context;
// } go_built;
//
// static go_built go_build(ENGINE, WHO, _GoString_ id, _GoString_ question, const aura_policy *policy,
//                          const aura_cancel *cancel, _GoString_ turn_id, _GoString_ head, _GoString_ system,
//                          _GoString_ tools, _GoString_ blocks, _GoString_ correlation_id, _GoString_ agent_version,
//                          _GoString_ workflow_stage, uint64_t deadline_ms, uint32_t provider) {
//   go_built built = {AURA_STATUS_OK, NULL, NULL};
//   aura_principal who;
//   aura_context_options options;
//   aura_context_options_init(&options, sizeof options);
//   options.policy = policy;
//   options.cancel = cancel;
//   options.turn_id = lent(turn_id);
//   options.head = lent(head);
//   options.system = lent(system);
//   options.tools_json = lent(tools);
//   options.blocks_json = lent(blocks);
//   options.correlation_id = lent(correlation_id);
//   options.agent_version = lent(agent_version);
//   options.workflow_stage = lent(workflow_stage);
//   options.deadline_ms = deadline_ms;
//   options.provider = provider;
//   built.status = aura_context_build(engine, ASKED, PTR(id), PTR(question), &options, &built.context, &built.error);
//   return built;
// }
import "C"

import (
	"context"
	"encoding/json"
	"runtime"
	"time"
)

// Provider is the form of what is sent to a model.
type Provider string

// The providers.
const (
	ProviderGeneric         Provider = "generic"
	ProviderOpenAI          Provider = "openai"
	ProviderOpenAIResponses Provider = "openai-responses"
	ProviderAnthropic       Provider = "anthropic"
	ProviderGemini          Provider = "gemini"
)

var providers = []Provider{ProviderGeneric, ProviderOpenAI, ProviderOpenAIResponses, ProviderAnthropic, ProviderGemini}

func (provider Provider) number() (uint32, error) {
	if provider == "" {
		return 0, nil
	}
	for number, known := range providers {
		if provider == known {
			return uint32(number), nil
		}
	}
	return 0, invalid("provider", "must be generic, openai, openai-responses, anthropic or gemini")
}

// Tool is a tool to offer.
type Tool struct {
	Name        string `json:"name"`
	Description string `json:"description,omitempty"`
	// Parameters is the JSON Schema of its arguments.
	Parameters json.RawMessage `json:"parameters"`
}

// Block is material of the host for one context. More fields than these have none of their own here: use Fields.
type Block struct {
	ID   string
	Kind string
	Text string
	// Source says where it is from; without one the context is read-only.
	Source string
	// Fields are further fields by their names, such as "trust", "subject" or "expires_at".
	Fields map[string]any
}

// MarshalJSON is the block in the engine's form.
func (block Block) MarshalJSON() ([]byte, error) {
	form := map[string]any{}
	for name, value := range block.Fields {
		form[name] = value
	}
	form["block_id"], form["kind"] = block.ID, block.Kind
	form["payload"] = map[string]string{"text": block.Text}
	if block.Source != "" {
		form["source"] = block.Source
	}
	return json.Marshal(form)
}

// Request is what a context is compiled from.
type Request struct {
	// Question is the question; with an open turn (TurnID) only what to search by.
	Question string
	// Policy is how to compile; nil is the default policy.
	Policy How
	// TurnID is the turn the context is for; empty makes an id. If it is open, its first user message is the question.
	TurnID string
	// Head is the id of the turn whose ancestors, itself included, are visible; empty is the head of the session.
	Head string
	// System is the system prompt.
	System string
	// Tools are the tools to offer.
	Tools []Tool
	// Blocks are more blocks of the host.
	Blocks []Block
	// Provider is the form of the messages; empty is ProviderGeneric.
	Provider Provider
	// Deadline is how long the call may take; past it optional work is skipped. 0 is what the context of the call leaves.
	Deadline time.Duration
	// CorrelationID joins the manifest with your logs.
	CorrelationID string
	// AgentVersion and WorkflowStage are for the manifest.
	AgentVersion, WorkflowStage string
}

// BuildContext compiles the context for a question. No model is called. When ctx ends, the work stops.
func (session *Session) BuildContext(ctx context.Context, request Request) (*Context, error) {
	if err := session.begin(ctx, "build_context"); err != nil {
		return nil, err
	}
	texts, err := request.texts()
	if err != nil {
		return nil, err
	}
	provider, err := request.Provider.number()
	if err != nil {
		return nil, err
	}
	var policy *Policy
	var compiled *C.aura_policy
	if request.Policy != nil {
		if policy, err = request.Policy.compiled(); err != nil {
			return nil, err
		}
		compiled = policy.native
	}
	cancel, release, err := cancelWith(ctx)
	if err != nil {
		return nil, err
	}
	has, tenant, agent, on, labels := session.asker()
	built := C.go_build(session.engine.native, has, tenant, agent, on, labels, session.id, words(request.Question),
		compiled, cancel, request.TurnID, request.Head, words(request.System), texts.tools, texts.blocks,
		request.CorrelationID, words(request.AgentVersion), words(request.WorkflowStage), request.deadline(ctx),
		C.uint32_t(provider))
	release()
	runtime.KeepAlive(policy)
	runtime.KeepAlive(session.engine)
	if err := failure(built.status, built.error); err != nil {
		if found, ok := err.(*Error); ok && found.Code == CodeCancelled {
			found.cause = ctx.Err()
		}
		return nil, err
	}
	return newContext(built.context)
}

// deadline is how many milliseconds the call may take; 0 is no limit.
func (request *Request) deadline(ctx context.Context) C.uint64_t {
	if request.Deadline > 0 {
		return C.uint64_t(millis(request.Deadline))
	}
	if at, ok := ctx.Deadline(); ok {
		return C.uint64_t(millis(time.Until(at)))
	}
	return 0
}

type requestTexts struct{ tools, blocks string }

func (request *Request) texts() (texts requestTexts, err error) {
	if len(request.Tools) > 0 {
		if texts.tools, err = encode("tools", request.Tools); err != nil {
			return texts, err
		}
	}
	if len(request.Blocks) > 0 {
		texts.blocks, err = encode("blocks", request.Blocks)
	}
	return texts, err
}

// cancelWith is a token that is triggered when ctx ends; it must be released after the call.
func cancelWith(ctx context.Context) (*C.aura_cancel, func(), error) {
	if ctx.Done() == nil {
		return nil, func() {}, nil
	}
	var cancel *C.aura_cancel
	var wrong *C.aura_error
	if err := failure(C.aura_cancel_new(&cancel, &wrong), wrong); err != nil {
		return nil, nil, err
	}
	triggered := make(chan struct{})
	stop := context.AfterFunc(ctx, func() {
		C.aura_cancel_trigger(cancel)
		close(triggered)
	})
	release := func() {
		// Once it has begun to run it must end before the token goes.
		if !stop() {
			<-triggered
		}
		C.aura_cancel_free(cancel)
	}
	return cancel, release, nil
}
