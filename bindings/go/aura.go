// Package aura is the Go binding of Aura, a context engine for LLM agents.
//
// It keeps every turn of every conversation durably, and before each model call compiles a list of messages that holds
// what the current question needs and fits a token budget. No model is called to do this.
//
//	engine, err := aura.Open("agent.db")
//	...
//	defer engine.Close()
//	chat := engine.Session("chat-1")
//	_, err = chat.RecordExchange(ctx, "I live in Oslo.", "Noted.")
//	...
//	built, err := chat.BuildContext(ctx, aura.Request{Question: "Where do I live?", Policy: aura.PolicyFields{"token_budget": 600}})
//
// An [Engine] may be used by any number of goroutines. Calls take a [context.Context]: a call whose context has ended
// before it begins does nothing, and compiling a context stops when it ends.
package aura

// #include "shim.h"
import "C"

import (
	"fmt"
	"strings"
)

// Version is the version of the engine.
func Version() string { return C.GoString(C.aura_version()) }

func init() {
	library, header := uint32(C.aura_abi_version()), uint32(C.AURA_ABI_VERSION)
	if library/1000 != header/1000 {
		panic(fmt.Sprintf("aura: the library has interface %d, but this package needs %d", library, header))
	}
}

// Kind is a kind of native object, for [DebugLive].
type Kind uint32

// The kinds of native objects.
const (
	KindAll     Kind = C.AURA_KIND_ALL
	KindEngine  Kind = C.AURA_KIND_ENGINE
	KindPolicy  Kind = C.AURA_KIND_POLICY
	KindContext Kind = C.AURA_KIND_CONTEXT
	KindTurn    Kind = C.AURA_KIND_TURN
	KindCancel  Kind = C.AURA_KIND_CANCEL
	KindBuffer  Kind = C.AURA_KIND_BUFFER
	KindError   Kind = C.AURA_KIND_ERROR
)

// DebugLive says how many native objects of a kind are alive, so that a test can show that nothing leaks.
func DebugLive(kind Kind) int { return int(C.aura_debug_live(C.uint32_t(kind))) }

// words are texts for people and models: what is no UTF-8 becomes U+FFFD.
func words(text string) string { return strings.ToValidUTF8(text, "\uFFFD") }

// goString copies a text out of the library.
func goString(text C.aura_str) string {
	if text.ptr == nil {
		return ""
	}
	return C.GoStringN(text.ptr, C.int(text.len))
}
