package aura

import (
	"encoding/json"
	"time"
)

// Role is who speaks in a message.
type Role string

// The roles.
const (
	RoleSystem    Role = "system"
	RoleUser      Role = "user"
	RoleAssistant Role = "assistant"
	RoleTool      Role = "tool"
)

// Message is a message to record, or one that was.
type Message struct {
	Role Role `json:"role"`
	// Name is the speaker's name, where there are several.
	Name string `json:"name,omitempty"`
	// Time is when it was said (RFC 3339), where that differs from when it is recorded.
	Time string `json:"time,omitempty"`
	// Parts are what it consists of, in order.
	Parts []Part `json:"parts"`
	// Native is the message's own JSON from a framework or provider.
	Native *Native `json:"native,omitempty"`
	// Metadata is what you want to keep beside it: a JSON object, neither shown nor searched.
	Metadata json.RawMessage `json:"metadata,omitempty"`
}

// Native is a message's own JSON, kept byte for byte.
type Native struct {
	Format string          `json:"format"`
	JSON   json.RawMessage `json:"json"`
}

// Part is a part of a message. Type is "text", "tool_call", "tool_result", "media" or "opaque", and says which of the other
// fields it has.
type Part struct {
	Type string `json:"type"`
	// Text is that of a text or of a tool result.
	Text string `json:"text,omitempty"`
	// CallID joins a call and its result.
	CallID string `json:"call_id,omitempty"`
	// Name and Arguments (JSON) are those of a call.
	Name      string          `json:"name,omitempty"`
	Arguments json.RawMessage `json:"arguments,omitempty"`
	// Tool, OutputSchema, Trust and IsError are those of a result.
	Tool         string `json:"tool,omitempty"`
	OutputSchema string `json:"output_schema,omitempty"`
	Trust        string `json:"trust,omitempty"`
	IsError      bool   `json:"is_error,omitempty"`
	// Mime and URI are those of media, Handle names an artifact.
	Mime   string `json:"mime,omitempty"`
	URI    string `json:"uri,omitempty"`
	Handle string `json:"handle,omitempty"`
	// Provider and JSON are those of an opaque part.
	Provider string          `json:"provider,omitempty"`
	JSON     json.RawMessage `json:"json,omitempty"`
}

// MarshalJSON keeps the text of a text and of a result, also where it is empty.
func (part Part) MarshalJSON() ([]byte, error) {
	type plain Part
	if part.Type == "text" || (part.Type == "tool_result" && part.Handle == "") {
		return json.Marshal(struct {
			plain
			Text string `json:"text"`
		}{plain(part), part.Text})
	}
	return json.Marshal(plain(part))
}

// Text is a message of one text.
func Text(role Role, text string) Message {
	return Message{Role: role, Parts: []Part{{Type: "text", Text: text}}}
}

// User is what a user said.
func User(text string) Message { return Text(RoleUser, text) }

// Assistant is what the assistant answered.
func Assistant(text string) Message { return Text(RoleAssistant, text) }

// ToolCall is the assistant's call of a tool, with the arguments as JSON.
func ToolCall(callID, name, arguments string) Message {
	part := Part{Type: "tool_call", CallID: callID, Name: name, Arguments: json.RawMessage(arguments)}
	return Message{Role: RoleAssistant, Parts: []Part{part}}
}

// ToolResult is what a tool gave.
func ToolResult(callID, text string) Message {
	return Message{Role: RoleTool, Parts: []Part{{Type: "tool_result", CallID: callID, Text: text}}}
}

// TurnStatus is where a turn stands.
type TurnStatus string

// The statuses of turns.
const (
	// TurnComplete ended well: it feeds facts and recall.
	TurnComplete TurnStatus = "complete"
	// TurnOpen may get more messages.
	TurnOpen TurnStatus = "open"
	// TurnFailed ended badly: it feeds nothing, and no turn follows it by default.
	TurnFailed TurnStatus = "failed"
)

var turnStatuses = []TurnStatus{TurnComplete, TurnOpen, TurnFailed}

func (status TurnStatus) number() (uint32, error) {
	if status == "" {
		return 0, nil
	}
	for number, known := range turnStatuses {
		if status == known {
			return uint32(number), nil
		}
	}
	return 0, invalid("status", "must be complete, open or failed")
}

// Turn is a recorded turn.
type Turn struct {
	ID string
	// Index is its number in the session, gapless from 0.
	Index  int
	Status TurnStatus
	// Effect is what the call did: "created", "extended" or "unchanged".
	Effect                string
	FirstEvent, LastEvent uint64
	Messages              int
	// ChangeSeq is how many mutations the session had seen with this one.
	ChangeSeq  uint64
	RecordedAt time.Time
}
