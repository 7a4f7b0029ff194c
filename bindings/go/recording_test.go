package aura

import (
	"encoding/json"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

func toolTurn() []Message {
	asked := User("Will it rain in Bergen?")
	asked.Name = "Ana"
	return []Message{asked, ToolCall("c1", "weather", `{"city":"Bergen"}`), ToolResult("c1", ""), Assistant("It will.")}
}

func TestATurnHasItsIDs(t *testing.T) {
	chat := opened(t).Session("s")
	first, err := chat.RecordExchange(ctx, "hello", "hi")
	check(t, err)
	if first.Index != 0 || first.FirstEvent != 1 || first.LastEvent != 2 || first.Messages != 2 || first.Effect != "created" || first.Status != TurnComplete {
		t.Fatalf("%+v", first)
	}
	if time.Since(first.RecordedAt).Abs() > time.Minute {
		t.Fatal(first.RecordedAt)
	}
	second, err := chat.RecordTurn(ctx, TurnRequest{Messages: toolTurn(), ID: "t", Status: TurnOpen})
	check(t, err)
	if second.Index != 1 || second.ID != "t" || second.Status != TurnOpen {
		t.Fatalf("%+v", second)
	}
	again, err := chat.RecordTurn(ctx, TurnRequest{Messages: toolTurn()[:1], ID: "t", Status: TurnOpen})
	check(t, err)
	done, err := chat.FinishTurn(ctx, "t", TurnComplete)
	check(t, err)
	if again.Effect != "unchanged" || done.Status != TurnComplete {
		t.Fatalf("%+v %+v", again, done)
	}
	_, err = chat.FinishTurn(ctx, "t", TurnFailed)
	fails(t, err, ErrConflict, "")
	_, err = chat.RecordTurn(ctx, TurnRequest{Messages: []Message{User("else")}, ID: "t"})
	fails(t, err, ErrConflict, "")
	turns, err := chat.Turns(ctx, 1, 5)
	check(t, err)
	parts := turns[0].Messages[1].Message.Parts
	if len(turns) != 1 || parts[0].CallID != "c1" || string(parts[0].Arguments) != `{"city":"Bergen"}` || turns[0].Messages[0].Message.Name != "Ana" {
		t.Fatalf("%+v", turns)
	}
	messages, err := chat.Messages(ctx, 2, 3)
	check(t, err)
	if messages[0].Message.Parts[0].Text != "hi" || messages[1].EventID != 3 {
		t.Fatalf("%+v", messages)
	}
	check(t, chat.SetHead(ctx, first.ID))
	third, err := chat.Record(ctx, User("a"))
	check(t, err)
	info, err := chat.Describe(ctx)
	check(t, err)
	if third.Index != 2 || info.Turns != 3 || *info.Head != 2 || info.ID != "s" || chat.ID() != "s" {
		t.Fatalf("%+v %+v", third, info)
	}
}

func TestFactsHaveTwoTimeAxes(t *testing.T) {
	chat := opened(t).Session("s")
	for at, said := range map[string]string{"2024-01-01T10:00:00Z": "I live in Oslo."} {
		message := User(said)
		message.Time = at
		_, err := chat.Record(ctx, message)
		check(t, err)
	}
	moved := User("I just moved to Berlin.")
	moved.Time = "2024-06-01T10:00:00Z"
	_, err := chat.Record(ctx, moved)
	check(t, err)
	all, err := chat.Facts(ctx)
	check(t, err)
	then, err := chat.FactsAt(ctx, time.Date(2024, 3, 1, 0, 0, 0, 0, time.UTC), time.Date(2999, 1, 1, 0, 0, 0, 0, time.UTC))
	check(t, err)
	if len(all) != 2 || len(then) != 1 || !strings.Contains(then[0].Text, "Oslo") || then[0].Sources[0] != 1 {
		t.Fatalf("%+v %+v", all, then)
	}
}

func TestPrincipalsAreApart(t *testing.T) {
	engine := opened(t)
	ana := Principal{Tenant: "shop", User: "ana", Labels: []string{"l"}}
	_, err := engine.Session("s").As(ana).RecordExchange(ctx, "My shoe size is 38.", "Noted.")
	check(t, err)
	_, err = engine.Session("s").As(Principal{Tenant: "shop", User: "bea"}).BuildContext(ctx, Request{Question: "q"})
	fails(t, err, ErrDenied, "session_id")
	found, err := engine.Sessions(ctx, &ana, SessionQuery{Limit: 5})
	check(t, err)
	none, err := engine.Sessions(ctx, nil, SessionQuery{})
	check(t, err)
	if len(found) != 1 || found[0].User != "ana" || len(none) != 0 {
		t.Fatalf("%+v %+v", found, none)
	}
}

func TestWrongArgumentsAreNamed(t *testing.T) {
	chat := opened(t).Session("s")
	_, err := chat.Record(ctx, Text("nobody", "a"))
	fails(t, err, ErrInvalid, "messages[0].role")
	_, err = chat.Record(ctx)
	fails(t, err, ErrInvalid, "")
	_, err = chat.Record(ctx, Message{Role: RoleUser, Metadata: json.RawMessage("{")})
	fails(t, err, ErrInvalid, "messages")
	_, err = chat.engine.Session("").RecordExchange(ctx, "a", "b")
	fails(t, err, ErrInvalid, "session_id")
	_, err = chat.engine.Session(strings.Repeat("x", 257)).Describe(ctx)
	fails(t, err, ErrInvalid, "session_id")
	_, err = chat.FinishTurn(ctx, "t", "perhaps")
	fails(t, err, ErrInvalid, "status")
	_, err = chat.Turns(ctx, -1, 1)
	fails(t, err, ErrInvalid, "first")
	_, err = chat.Describe(ctx)
	fails(t, err, ErrNotFound, "")
}

func TestWhatWasRecordedIsThereAgain(t *testing.T) {
	path := filepath.Join(t.TempDir(), "a.db")
	for round := range 3 {
		engine, err := Open(path, WithDurability(DurabilityNormal))
		check(t, err)
		turn, err := engine.Session("s").RecordExchange(ctx, "a", "b")
		check(t, err)
		if turn.Index != round {
			t.Fatal(turn)
		}
		check(t, engine.Close())
	}
}
