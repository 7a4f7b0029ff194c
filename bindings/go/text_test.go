package aura

import (
	"strings"
	"testing"
)

func TestWordsComeBack(t *testing.T) {
	for name, text := range map[string]string{
		"nul":           "a\x00b",
		"emoji":         "👩‍👩‍👧 and ☔",
		"replacement":   "\uFFFD",
		"right to left": "שלום עולם \u202e",
		"astral":        strings.Repeat("𐍈", 100),
		"line ends":     "a\r\nb\u2028c",
		"quotes":        "\"\\'\u007f",
	} {
		t.Run(name, func(t *testing.T) {
			chat := opened(t).Session("s")
			_, err := chat.RecordExchange(ctx, text, text)
			check(t, err)
			_, err = chat.Record(ctx, User(text))
			check(t, err)
			messages, err := chat.Messages(ctx, 1, 3)
			check(t, err)
			for _, message := range messages {
				if message.Message.Parts[0].Text != text {
					t.Fatalf("%q", message.Message.Parts[0].Text)
				}
			}
			built, err := chat.BuildContext(ctx, Request{Question: text})
			check(t, err)
			if last := built.Messages[len(built.Messages)-1]; !strings.HasSuffix(last.Content, text) {
				t.Fatalf("%q", last.Content)
			}
		})
	}
}

func TestWhatIsNoUTF8(t *testing.T) {
	engine := opened(t)
	chat := engine.Session("s")
	half := "a\xed\xa0\xbdb"
	_, err := chat.RecordExchange(ctx, half, "fine")
	check(t, err)
	_, err = chat.Record(ctx, User("a\xffb"))
	check(t, err)
	messages, err := chat.Messages(ctx, 1, 3)
	check(t, err)
	for _, at := range []int{0, 2} {
		if text := messages[at].Message.Parts[0].Text; !strings.Contains(text, "\uFFFD") || !strings.HasPrefix(text, "a") || !strings.HasSuffix(text, "b") {
			t.Fatalf("%q", text)
		}
	}
	_, err = engine.Session(half).RecordExchange(ctx, "a", "b")
	fails(t, err, ErrInvalid, "session_id")
	_, err = chat.RecordTurn(ctx, TurnRequest{Messages: []Message{User("a")}, ID: half})
	fails(t, err, ErrInvalid, "options.turn_id")
	_, err = chat.RecordTurn(ctx, TurnRequest{Messages: []Message{User("a")}, Requests: []string{half}})
	fails(t, err, ErrInvalid, "requests")
	_, err = chat.As(Principal{Labels: []string{half}}).BuildContext(ctx, Request{Question: "q"})
	fails(t, err, ErrInvalid, "labels")
	_, err = chat.As(Principal{User: half}).BuildContext(ctx, Request{Question: "q"})
	fails(t, err, ErrInvalid, "")
}

func TestTenMegabytes(t *testing.T) {
	chat := opened(t).Session("s")
	text := strings.Repeat("0123456789abcdef ", 600_000)
	_, err := chat.RecordExchange(ctx, text, "fine")
	check(t, err)
	messages, err := chat.Messages(ctx, 1, 1)
	check(t, err)
	if messages[0].Message.Parts[0].Text != text {
		t.Fatal("it came back changed")
	}
}
