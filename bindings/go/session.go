package aura

// #include "shim.h"
//
// static go_turn go_record_exchange(ENGINE, WHO, _GoString_ id, _GoString_ said, _GoString_ answered) {
//   go_turn made = {AURA_STATUS_OK, NULL, NULL};
//   aura_principal who;
//   made.status = aura_session_record_exchange(engine, ASKED, PTR(id), PTR(said), PTR(answered), &made.turn, &made.error);
//   return made;
// }
//
// static go_turn go_record_turn(ENGINE, WHO, _GoString_ id, _GoString_ messages, _GoString_ turn_id, _GoString_ parent,
//                               _GoString_ requests, uint32_t status) {
//   go_turn made = {AURA_STATUS_OK, NULL, NULL};
//   aura_principal who;
//   aura_turn_options options;
//   aura_turn_options_init(&options, sizeof options);
//   options.turn_id = lent(turn_id);
//   options.parent = lent(parent);
//   options.requests_json = lent(requests);
//   options.status = status;
//   made.status = aura_session_record_turn(engine, ASKED, PTR(id), PTR(messages), &options, &made.turn, &made.error);
//   return made;
// }
//
// static go_turn go_finish_turn(ENGINE, WHO, _GoString_ id, _GoString_ turn_id, uint32_t status) {
//   go_turn made = {AURA_STATUS_OK, NULL, NULL};
//   aura_principal who;
//   made.status = aura_session_finish_turn(engine, ASKED, PTR(id), PTR(turn_id), status, &made.turn, &made.error);
//   return made;
// }
//
// static go_done go_set_head(ENGINE, WHO, _GoString_ id, _GoString_ turn_id) {
//   go_done done = {AURA_STATUS_OK, NULL};
//   aura_principal who;
//   done.status = aura_session_set_head(engine, ASKED, PTR(id), PTR(turn_id), &done.error);
//   return done;
// }
import "C"

import (
	"context"
	"runtime"
	"time"
)

// Session is a conversation: its id, its engine, and who asks. It has no state of its own and need not be closed.
type Session struct {
	engine *Engine
	id     string
	who    *Principal
	labels string
	wrong  error
}

// ID is the session's id.
func (session *Session) ID() string { return session.id }

// As is the same session, asked by a principal.
func (session *Session) As(principal Principal) *Session {
	labels, err := principal.labels()
	return &Session{engine: session.engine, id: session.id, who: &principal, labels: labels, wrong: err}
}

// begin checks what must hold before a call.
func (session *Session) begin(ctx context.Context, op string) error {
	if session.wrong != nil {
		return session.wrong
	}
	if err := ctx.Err(); err != nil {
		return ended(op, err)
	}
	return nil
}

// asker is who asks, as the helpers in C take it.
func (session *Session) asker() (C.int, string, string, string, string) {
	return asker(session.who, session.labels)
}

func asker(who *Principal, labels string) (C.int, string, string, string, string) {
	if who == nil {
		return 0, "", "", "", ""
	}
	return 1, who.Tenant, who.Agent, who.User, labels
}

// RecordExchange records a user's message and the answer as one complete turn. What has returned is durable.
func (session *Session) RecordExchange(ctx context.Context, user, assistant string) (Turn, error) {
	if err := session.begin(ctx, "record_exchange"); err != nil {
		return Turn{}, err
	}
	defer runtime.KeepAlive(session.engine)
	has, tenant, agent, on, labels := session.asker()
	return turn(C.go_record_exchange(session.engine.native, has, tenant, agent, on, labels, session.id, words(user),
		words(assistant)))
}

// TurnRequest is a turn to record.
type TurnRequest struct {
	// Messages are all its messages from the first on.
	Messages []Message
	// ID lets a repeated call be recognised: the same messages again change nothing, more messages extend an open turn,
	// and anything else is ErrConflict. Empty makes one.
	ID string
	// Parent is the id of the turn it follows; empty is the head of the session.
	Parent string
	// Status is TurnComplete where it is empty.
	Status TurnStatus
	// Requests are the contexts it answers.
	Requests []string
}

// Record records messages as one complete turn.
func (session *Session) Record(ctx context.Context, messages ...Message) (Turn, error) {
	return session.RecordTurn(ctx, TurnRequest{Messages: messages})
}

// RecordTurn records a turn, or extends an open one.
func (session *Session) RecordTurn(ctx context.Context, request TurnRequest) (Turn, error) {
	if err := session.begin(ctx, "record_turn"); err != nil {
		return Turn{}, err
	}
	messages, err := encode("messages", append([]Message{}, request.Messages...))
	if err != nil {
		return Turn{}, err
	}
	requests, err := ids("requests", request.Requests)
	if err != nil {
		return Turn{}, err
	}
	status, err := request.Status.number()
	if err != nil {
		return Turn{}, err
	}
	defer runtime.KeepAlive(session.engine)
	has, tenant, agent, on, labels := session.asker()
	return turn(C.go_record_turn(session.engine.native, has, tenant, agent, on, labels, session.id, messages, request.ID,
		request.Parent, requests, C.uint32_t(status)))
}

// FinishTurn moves an open turn to complete or failed; repeating the call changes nothing.
func (session *Session) FinishTurn(ctx context.Context, id string, status TurnStatus) (Turn, error) {
	if err := session.begin(ctx, "finish_turn"); err != nil {
		return Turn{}, err
	}
	number, err := status.number()
	if err != nil {
		return Turn{}, err
	}
	defer runtime.KeepAlive(session.engine)
	has, tenant, agent, on, labels := session.asker()
	return turn(C.go_finish_turn(session.engine.native, has, tenant, agent, on, labels, session.id, id, C.uint32_t(number)))
}

// SetHead makes a turn the head of the session, to rewind the conversation or take a branch up again.
func (session *Session) SetHead(ctx context.Context, id string) error {
	if err := session.begin(ctx, "set_head"); err != nil {
		return err
	}
	defer runtime.KeepAlive(session.engine)
	has, tenant, agent, on, labels := session.asker()
	return done(C.go_set_head(session.engine.native, has, tenant, agent, on, labels, session.id, id))
}

var effects = []string{"created", "extended", "unchanged"}

func turn(made C.go_turn) (Turn, error) {
	if err := failure(made.status, made.error); err != nil {
		return Turn{}, err
	}
	defer C.aura_turn_free(made.turn)
	var view C.aura_turn_view
	if status := C.aura_turn_describe(made.turn, &view, C.sizeof_aura_turn_view); status != C.AURA_STATUS_OK {
		return Turn{}, &Error{Code: Code(status), Op: "record_turn", Msg: "the turn cannot be described"}
	}
	return Turn{
		ID:         goString(view.turn_id),
		Index:      int(view.index),
		Status:     turnStatuses[view.status],
		Effect:     effects[view.effect],
		FirstEvent: uint64(view.first_event),
		LastEvent:  uint64(view.last_event),
		Messages:   int(view.message_count),
		ChangeSeq:  uint64(view.change_seq),
		RecordedAt: time.UnixMilli(int64(view.recorded_at_ms)).UTC(),
	}, nil
}
