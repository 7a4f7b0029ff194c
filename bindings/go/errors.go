package aura

// #include "shim.h"
import "C"

import (
	"encoding/json"
	"errors"
)

// Code says how a call ended. The numbers are permanent and the same in every language.
type Code int32

// The codes. Each calls for one reaction.
const (
	// CodeInvalid: an argument is wrong, and the error names it. Correct the call.
	CodeInvalid Code = C.AURA_STATUS_INVALID
	// CodeNotFound: what was asked for does not exist (any more).
	CodeNotFound Code = C.AURA_STATUS_NOT_FOUND
	// CodeConflict: the call contradicts what is stored, for example another turn under the same id.
	CodeConflict Code = C.AURA_STATUS_CONFLICT
	// CodeDenied: the principal may not do or see this.
	CodeDenied Code = C.AURA_STATUS_DENIED
	// CodeBusy: somebody else holds a lock for longer than the time-out. Retry.
	CodeBusy Code = C.AURA_STATUS_BUSY
	// CodeClosed: the engine has been closed.
	CodeClosed Code = C.AURA_STATUS_CLOSED
	// CodeCorrupt: stored bytes are damaged or of an unknown format.
	CodeCorrupt Code = C.AURA_STATUS_CORRUPT
	// CodeUnavailable: the environment failed (disk full, file unreadable). Mend it and retry.
	CodeUnavailable Code = C.AURA_STATUS_UNAVAILABLE
	// CodeBudgetExceeded: a hard limit cannot be kept.
	CodeBudgetExceeded Code = C.AURA_STATUS_BUDGET_EXCEEDED
	// CodeCancelled: the context of the call ended.
	CodeCancelled Code = C.AURA_STATUS_CANCELLED
	// CodeCallback: a callback of the host failed.
	CodeCallback Code = C.AURA_STATUS_CALLBACK
	// CodeInternal: a defect of the engine, which answers only this from then on. Open another.
	CodeInternal Code = C.AURA_STATUS_INTERNAL
)

// String is the code's name, such as "not-found".
func (code Code) String() string { return C.GoString(C.aura_status_name(C.int32_t(code))) }

// What errors.Is compares with.
var (
	ErrInvalid        = errors.New("aura: invalid")
	ErrNotFound       = errors.New("aura: not found")
	ErrConflict       = errors.New("aura: conflict")
	ErrDenied         = errors.New("aura: denied")
	ErrBusy           = errors.New("aura: busy")
	ErrClosed         = errors.New("aura: closed")
	ErrCorrupt        = errors.New("aura: corrupt")
	ErrUnavailable    = errors.New("aura: unavailable")
	ErrBudgetExceeded = errors.New("aura: budget exceeded")
	ErrCancelled      = errors.New("aura: cancelled")
	ErrCallback       = errors.New("aura: callback failed")
	ErrInternal       = errors.New("aura: internal")
)

var sentinels = map[Code]error{
	CodeInvalid:        ErrInvalid,
	CodeNotFound:       ErrNotFound,
	CodeConflict:       ErrConflict,
	CodeDenied:         ErrDenied,
	CodeBusy:           ErrBusy,
	CodeClosed:         ErrClosed,
	CodeCorrupt:        ErrCorrupt,
	CodeUnavailable:    ErrUnavailable,
	CodeBudgetExceeded: ErrBudgetExceeded,
	CodeCancelled:      ErrCancelled,
	CodeCallback:       ErrCallback,
	CodeInternal:       ErrInternal,
}

// Error is what a failed call gives. Its texts never hold stored text.
type Error struct {
	// Code says how the call ended.
	Code Code
	// Op is the operation that failed.
	Op string
	// Msg says what failed, in words for a person.
	Msg string
	// Field is the parameter or field that was wrong, such as "messages[2].role"; empty when it was none.
	Field string
	// Context is what else is known.
	Context [][2]string
	// Causes are the cause, the cause of that, and so on.
	Causes []string

	cause error
}

// Error is the operation and the message.
func (err *Error) Error() string {
	if err.Op == "" {
		return "aura: " + err.Msg
	}
	return "aura: " + err.Op + ": " + err.Msg
}

// Is says whether target is the sentinel of the code, such as ErrNotFound.
func (err *Error) Is(target error) bool { return target == sentinels[err.Code] }

// Unwrap gives the error of the context that ended the call, if one did.
func (err *Error) Unwrap() error { return err.cause }

func invalid(field, problem string) error {
	return &Error{Code: CodeInvalid, Msg: field + ": " + problem, Field: field}
}

// failure takes an error out of the library; nil where the call succeeded.
func failure(status C.aura_status, given *C.aura_error) error {
	if status == C.AURA_STATUS_OK {
		return nil
	}
	err := &Error{
		Code:  Code(status),
		Op:    goString(C.aura_error_operation(given)),
		Msg:   goString(C.aura_error_message(given)),
		Field: goString(C.aura_error_field(given)),
	}
	// The library wrote it: what cannot be read is left out.
	_ = json.Unmarshal([]byte(goString(C.aura_error_context(given))), &err.Context)
	for index := C.size_t(0); ; index++ {
		cause := C.aura_error_cause(given, index)
		if cause.ptr == nil {
			break
		}
		err.Causes = append(err.Causes, goString(cause))
	}
	C.aura_error_free(given)
	return err
}

func done(result C.go_done) error { return failure(result.status, result.error) }

// parsed reads the JSON that a call gave into out.
func parsed(result C.go_json, out any) error {
	if err := failure(result.status, result.error); err != nil {
		return err
	}
	defer C.aura_buffer_free(result.buffer)
	return unmarshal(goString(C.aura_buffer_text(result.buffer)), out)
}

func unmarshal(text string, out any) error {
	if err := json.Unmarshal([]byte(text), out); err != nil {
		return &Error{Code: CodeInternal, Msg: "the engine's JSON cannot be read: " + err.Error(), cause: err}
	}
	return nil
}
