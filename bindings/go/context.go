package aura

// #include "shim.h"
//
// typedef struct {
//   aura_status status;
//   aura_error *error;
//   aura_str json;
// } go_text;
//
// #define TEXT(name, call)                              \
//   static go_text name(const aura_context *context) {   \
//     go_text read = {AURA_STATUS_OK, NULL, {NULL, 0}};  \
//     read.status = call(context, &read.json, &read.error); \
//     return read;                                       \
//   }
//
// TEXT(go_messages_json, aura_context_messages_json)
// TEXT(go_request_json, aura_context_request_json)
// TEXT(go_tools_json, aura_context_tools_json)
// TEXT(go_manifest_json, aura_context_manifest_json)
//
// static go_json go_context_explain(const aura_context *context, _GoString_ block) {
//   go_json read = {AURA_STATUS_OK, NULL, NULL, NULL};
//   read.status = aura_context_explain(context, PTR(block), &read.buffer, &read.error);
//   return read;
// }
import "C"

import (
	"encoding/json"
	"runtime"
)

// Section is which part of a context a message is.
type Section string

// The sections.
const (
	SectionSystem   Section = "system"
	SectionHistory  Section = "history"
	SectionEvidence Section = "evidence"
	SectionQuestion Section = "question"
	SectionTail     Section = "tail"
)

var (
	sections = []Section{SectionSystem, SectionHistory, SectionEvidence, SectionQuestion, SectionTail}
	roles    = []Role{RoleSystem, RoleUser, RoleAssistant, RoleTool}
	outcomes = []string{"complete", "degraded", "restricted", "fallback"}
)

// Context is the messages and tools for one model call, and the manifest that accounts for them. Immutable; it outlives its
// engine.
type Context struct {
	// Messages are the messages, in the order to be sent, without the form of a provider.
	Messages []ContextMessage
	// RequestID is this compilation, by which its manifest is found and a recorded turn says what it answers.
	RequestID string
	// TurnID is the turn the context is for.
	TurnID string
	// Tokens is what it takes: system text, tools, messages, overhead. Budget is what it may take.
	Tokens, Budget int
	// OverBudget is by how many tokens it exceeds the budget; 0 when it does not.
	OverBudget int
	// ToolTokens is what the tools take of Tokens.
	ToolTokens int
	// HistoryTokens is what the whole visible history with the same question would take.
	HistoryTokens uint64
	// Outcome is "complete", "degraded", "restricted" or "fallback".
	Outcome string
	// ReadOnly says that the model should take no action on it.
	ReadOnly bool
	// Provider is the form of what the methods give.
	Provider Provider

	native *C.aura_context
}

// ContextMessage is one message of a context.
type ContextMessage struct {
	Role    Role
	Section Section
	// Name is the speaker's name, where there are several.
	Name string
	// Content is the text; empty where the message only calls tools.
	Content string
	// ToolCallID is the call that a tool message answers, and IsError says that it failed.
	ToolCallID string
	IsError    bool
	// Extra is what else the message has, as a JSON object of "tool_calls", "media" and "native"; empty when there is nothing.
	Extra string
	// Tokens are its tokens, overhead included.
	Tokens int
	// Events are the ids of the events shown in it.
	Events []uint64
}

func newContext(native *C.aura_context) (*Context, error) {
	var view C.aura_context_view
	if status := C.aura_context_describe(native, &view, C.sizeof_aura_context_view); status != C.AURA_STATUS_OK {
		C.aura_context_free(native)
		return nil, &Error{Code: Code(status), Op: "build_context", Msg: "the context cannot be described"}
	}
	made := &Context{
		Messages:      rows(&view),
		RequestID:     goString(view.request_id),
		TurnID:        goString(view.turn_id),
		Tokens:        int(view.tokens),
		Budget:        int(view.budget),
		OverBudget:    int(view.over_budget),
		ToolTokens:    int(view.tool_tokens),
		HistoryTokens: uint64(view.history_tokens),
		Outcome:       outcomes[view.outcome],
		ReadOnly:      view.read_only == 1,
		Provider:      providers[view.provider],
		native:        native,
	}
	runtime.AddCleanup(made, func(native *C.aura_context) { C.aura_context_free(native) }, native)
	return made, nil
}

// rows copies the block of a context once; the texts are slices of the copy.
func rows(view *C.aura_context_view) []ContextMessage {
	bytes := C.GoStringN((*C.char)((*C.char)(ptr(view))), C.int(view.block_len))
	text := func(off, length C.uint32_t) string {
		begin := int(view.bytes_off) + int(off)
		return bytes[begin : begin+int(length)]
	}
	messages := make([]ContextMessage, int(view.row_count))
	for index := range messages {
		row := C.aura_context_row(view, C.size_t(index))
		message := ContextMessage{
			Role:       roles[row.role],
			Section:    sections[row.section],
			Name:       text(row.name_off, row.name_len),
			Content:    text(row.content_off, row.content_len),
			ToolCallID: text(row.tool_call_id_off, row.tool_call_id_len),
			IsError:    row.is_error == 1,
			Extra:      text(row.extra_off, row.extra_len),
			Tokens:     int(row.tokens),
			Events:     make([]uint64, int(row.events_count)),
		}
		events := text(row.events_off, row.events_count*8)
		for at := range message.Events {
			message.Events[at] = nativeUint64(events[at*8:])
		}
		messages[index] = message
	}
	return messages
}

// MessagesJSON gives the messages in the form of the provider as a JSON array, byte for byte what every other language gets.
func (made *Context) MessagesJSON() (string, error) {
	defer runtime.KeepAlive(made)
	return text(C.go_messages_json(made.native))
}

// RequestJSON gives all that the context puts into the body of a request. Add the model and your settings.
func (made *Context) RequestJSON() (string, error) {
	defer runtime.KeepAlive(made)
	return text(C.go_request_json(made.native))
}

// ToolsJSON gives the admitted tools in the form of the provider.
func (made *Context) ToolsJSON() (string, error) {
	defer runtime.KeepAlive(made)
	return text(C.go_tools_json(made.native))
}

// ManifestJSON gives the manifest: what went in, what stayed out and why.
func (made *Context) ManifestJSON() (string, error) {
	defer runtime.KeepAlive(made)
	return text(C.go_manifest_json(made.native))
}

// Manifest reads the manifest into a value of yours, such as a map[string]any.
func (made *Context) Manifest(out any) error {
	text, err := made.ManifestJSON()
	if err != nil {
		return err
	}
	return json.Unmarshal([]byte(text), out)
}

// Explain says what became of a block ("event:12", "turn:3", "question").
func (made *Context) Explain(block string) (found Explanation, err error) {
	defer runtime.KeepAlive(made)
	err = parsed(C.go_context_explain(made.native, block), &found)
	return found, err
}

func text(read C.go_text) (string, error) {
	if err := failure(read.status, read.error); err != nil {
		return "", err
	}
	return goString(read.json), nil
}
