package aura

// #include "shim.h"
//
// typedef struct {
//   aura_status status;
//   aura_error *error;
//   aura_engine *engine;
// } go_opened;
//
// static go_opened go_open(_GoString_ path, uint32_t storage, uint32_t durability, _GoString_ language,
//                          _GoString_ counter, uint64_t body_cache_bytes, uint64_t sessions) {
//   go_opened opened = {AURA_STATUS_OK, NULL, NULL};
//   aura_engine_options options;
//   aura_engine_options_init(&options, sizeof options);
//   options.storage = storage;
//   options.durability = durability;
//   options.language = lent(language);
//   options.token_counter = lent(counter);
//   options.body_cache_bytes = body_cache_bytes;
//   options.sessions = sessions;
//   opened.status = aura_engine_open(PTR(path), &options, &opened.engine, &opened.error);
//   return opened;
// }
//
// static go_done go_flush(ENGINE, uint64_t timeout_ms) {
//   go_done done = {AURA_STATUS_OK, NULL};
//   done.status = aura_engine_flush(engine, timeout_ms, &done.error);
//   return done;
// }
//
// static go_done go_close(ENGINE) {
//   go_done done = {AURA_STATUS_OK, NULL};
//   done.status = aura_engine_close(engine, &done.error);
//   return done;
// }
//
// static go_done go_panic(ENGINE) {
//   go_done done = {AURA_STATUS_OK, NULL};
//   done.status = aura_debug_panic(engine, &done.error);
//   return done;
// }
import "C"

import (
	"context"
	"math"
	"runtime"
	"strings"
	"time"
)

// Engine is an engine on one store, the only thing to close. Any number of goroutines may use it.
type Engine struct {
	native *C.aura_engine
}

// Durability says what a write that has returned survives.
type Durability uint32

const (
	// DurabilityFull is the death of the process and the loss of power.
	DurabilityFull Durability = C.AURA_DURABILITY_FULL
	// DurabilityNormal is the death of the process.
	DurabilityNormal Durability = C.AURA_DURABILITY_NORMAL
)

// Option changes how an engine is opened.
type Option func(*options)

type options struct {
	durability        Durability
	language, counter string
	bodyCacheBytes    uint64
	sessions          uint64
}

// WithDurability sets what a write that has returned survives; without it DurabilityFull.
func WithDurability(durability Durability) Option {
	return func(options *options) { options.durability = durability }
}

// WithLanguage names the language of most sessions by its ISO 639-1 code, or "und" for none; without it "en".
func WithLanguage(code string) Option { return func(options *options) { options.language = code } }

// WithTokenCounter names what counts tokens: "o200k_base" (without this option), "cl100k_base" or "chars/4".
func WithTokenCounter(name string) Option { return func(options *options) { options.counter = name } }

// WithBodyCache bounds the bytes of turns that are kept in memory, over all sessions.
func WithBodyCache(bytes uint64) Option {
	return func(options *options) { options.bodyCacheBytes = bytes }
}

// WithSessions bounds how many sessions are kept ready in memory.
func WithSessions(count uint64) Option { return func(options *options) { options.sessions = count } }

// Open opens an engine on a SQLite file, which is made if it is absent. Several processes may have it open.
func Open(path string, given ...Option) (*Engine, error) {
	if path == "" || strings.ContainsRune(path, 0) {
		return nil, invalid("path", "must not be empty or hold a NUL")
	}
	return open(path, C.AURA_STORAGE_SQLITE, given)
}

// OpenInMemory opens an engine whose store is gone with it.
func OpenInMemory(given ...Option) (*Engine, error) { return open("", C.AURA_STORAGE_MEMORY, given) }

func open(path string, storage C.uint32_t, given []Option) (*Engine, error) {
	var chosen options
	for _, option := range given {
		option(&chosen)
	}
	opened := C.go_open(path, storage, C.uint32_t(chosen.durability), chosen.language, chosen.counter,
		C.uint64_t(chosen.bodyCacheBytes), C.uint64_t(chosen.sessions))
	if err := failure(opened.status, opened.error); err != nil {
		return nil, err
	}
	engine := &Engine{native: opened.engine}
	// Freed when nobody can call it any more; whoever forgot to close it loses nothing but time.
	runtime.AddCleanup(engine, func(native *C.aura_engine) { C.aura_engine_free(native) }, opened.engine)
	return engine, nil
}

// Close refuses new calls with ErrClosed and waits for those that run. Closing again succeeds.
func (engine *Engine) Close() error {
	defer runtime.KeepAlive(engine)
	return done(C.go_close(engine.native))
}

// Flush waits until the work in the background is done, at most until ctx ends; then it gives the error of ctx.
func (engine *Engine) Flush(ctx context.Context) error {
	defer runtime.KeepAlive(engine)
	if err := ctx.Err(); err != nil {
		return ended("flush", err)
	}
	for {
		// In short waits, for the library cannot be told to stop waiting.
		err := done(C.go_flush(engine.native, 50))
		if found, ok := err.(*Error); !ok || found.Code != CodeBusy {
			return err
		}
		if err := ctx.Err(); err != nil {
			return ended("flush", err)
		}
	}
}

// Session is a conversation with this id, asked by the default agent of the default tenant. It begins with its first turn.
func (engine *Engine) Session(id string) *Session { return &Session{engine: engine, id: id} }

// debugPanic panics inside the engine on purpose.
func (engine *Engine) debugPanic() error {
	defer runtime.KeepAlive(engine)
	return done(C.go_panic(engine.native))
}

// ended is the error of a call that did not happen because its context had ended.
func ended(op string, cause error) error {
	return &Error{Code: CodeCancelled, Op: op, Msg: cause.Error(), cause: cause}
}

// millis is a span in whole milliseconds, at least one.
func millis(span time.Duration) uint64 {
	if span <= time.Millisecond {
		return 1
	}
	return uint64(min(span.Milliseconds(), math.MaxInt32))
}
