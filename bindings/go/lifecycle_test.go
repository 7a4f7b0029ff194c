package aura

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
)

func TestClosing(t *testing.T) {
	engine, _ := stored(t)
	chat := engine.Session("s")
	_, err := chat.RecordExchange(ctx, "a", "b")
	check(t, err)
	check(t, engine.Flush(ctx))
	check(t, engine.Close())
	check(t, engine.Close())
	_, err = chat.RecordExchange(ctx, "a", "b")
	fails(t, err, ErrClosed, "")
	_, err = chat.BuildContext(ctx, Request{Question: "q"})
	fails(t, err, ErrClosed, "")
	_, err = engine.Sessions(ctx, nil, SessionQuery{})
	fails(t, err, ErrClosed, "")
}

func TestClosingWhileCallsRun(t *testing.T) {
	engine, _ := stored(t)
	var group sync.WaitGroup
	for n := range 16 {
		group.Add(1)
		go func() {
			defer group.Done()
			for {
				if _, err := engine.Session(fmt.Sprint(n)).RecordExchange(ctx, "a", "b"); err != nil {
					if !errors.Is(err, ErrClosed) {
						t.Error(err)
					}
					return
				}
			}
		}()
	}
	_, err := engine.Session("mine").RecordExchange(ctx, "a", "b")
	check(t, err)
	check(t, engine.Close())
	group.Wait()
}

func TestWrongOptionsAreNamed(t *testing.T) {
	for field, option := range map[string]Option{
		"options.language":      WithLanguage("xx"),
		"options.token_counter": WithTokenCounter("abacus"),
	} {
		_, err := OpenInMemory(option, WithBodyCache(1<<20), WithSessions(5))
		fails(t, err, ErrInvalid, field)
	}
	for _, path := range []string{"", "a\x00b"} {
		_, err := Open(path)
		fails(t, err, ErrInvalid, "path")
	}
	letter := filepath.Join(t.TempDir(), "letter.db")
	check(t, os.WriteFile(letter, []byte(strings.Repeat("Dear reader, this is a letter and no database.\n", 500)), 0o600))
	_, err := Open(letter)
	fails(t, err, ErrCorrupt, "path")
	_, err = Open(filepath.Join(t.TempDir(), "no", "such", "a.db"))
	fails(t, err, ErrUnavailable, "path")
}

func TestAPanicIsAnInternalErrorAndNoMore(t *testing.T) {
	engine, err := OpenInMemory()
	check(t, err)
	fails(t, engine.debugPanic(), ErrInternal, "")
	_, err = engine.Session("s").RecordExchange(ctx, "a", "b")
	fails(t, err, ErrInternal, "")
	fails(t, engine.Close(), ErrInternal, "")
	_, err = opened(t).Session("s").RecordExchange(ctx, "a", "b")
	check(t, err)
}

func TestThirtyTwoGoroutines(t *testing.T) {
	engine, _ := stored(t)
	var group sync.WaitGroup
	for n := range 32 {
		group.Add(1)
		go func() {
			defer group.Done()
			for range 5 {
				_, err := engine.Session("shared").RecordExchange(ctx, fmt.Sprintf("goroutine %d", n), "noted")
				if err == nil {
					_, err = engine.Session("shared").BuildContext(ctx, Request{Question: "goroutine"})
				}
				if err != nil {
					t.Error(err)
				}
			}
		}()
	}
	group.Wait()
	turns, err := engine.Session("shared").Turns(ctx, 0, 1000)
	check(t, err)
	for index, record := range turns {
		if record.Turn.Index != index || record.Messages[0].EventID != uint64(2*index+1) {
			t.Fatalf("%d: %+v", index, record)
		}
	}
	if len(turns) != 160 {
		t.Fatal(len(turns))
	}
}

func TestTwoProcessesShareAFile(t *testing.T) {
	if path := os.Getenv("AURA_TEST_OTHER"); path != "" {
		engine, err := Open(path)
		check(t, err)
		for n := range 40 {
			_, err := engine.Session("s").RecordExchange(ctx, fmt.Sprintf("other %d", n), "noted")
			check(t, err)
		}
		check(t, engine.Close())
		return
	}
	engine, path := stored(t)
	other := exec.Command(os.Args[0], "-test.run=^TestTwoProcessesShareAFile$")
	other.Env = append(os.Environ(), "AURA_TEST_OTHER="+path)
	check(t, other.Start())
	for n := range 40 {
		_, err := engine.Session("s").RecordExchange(ctx, fmt.Sprintf("mine %d", n), "noted")
		check(t, err)
	}
	check(t, other.Wait())
	turns, err := engine.Session("s").Turns(ctx, 0, 1000)
	check(t, err)
	if len(turns) != 80 || turns[79].Turn.Index != 79 {
		t.Fatal(len(turns))
	}
}

func TestDroppedWithoutClosing(t *testing.T) {
	if left := alive(KindAll, 0); left != 0 {
		t.Fatalf("%d objects were alive before", left)
	}
	for range 50 {
		engine, err := OpenInMemory()
		check(t, err)
		_, err = engine.Session("s").RecordExchange(ctx, "a", "b")
		check(t, err)
		_, err = engine.Session("s").BuildContext(ctx, Request{Question: "q", Policy: PolicyFields{}})
		check(t, err)
		_, err = engine.Session("").RecordExchange(ctx, "a", "b")
		fails(t, err, ErrInvalid, "session_id")
	}
	for _, kind := range []Kind{KindContext, KindPolicy, KindEngine, KindAll} {
		if left := alive(kind, 0); left != 0 {
			t.Fatalf("%d of kind %d are alive", left, kind)
		}
	}
	if DebugLive(99) != -1 {
		t.Fatal("a kind that does not exist")
	}
}

func TestMemoryStaysFlat(t *testing.T) {
	engine, _ := stored(t)
	chat := engine.Session("s")
	_, err := chat.RecordExchange(ctx, "I live in Oslo.", "Noted.")
	check(t, err)
	work := func(times int) int64 {
		for range times {
			built, err := chat.BuildContext(ctx, Request{Question: "Where do I live?"})
			check(t, err)
			_, err = built.MessagesJSON()
			check(t, err)
			_, err = engine.Session("").Describe(ctx)
			fails(t, err, ErrInvalid, "session_id")
		}
		alive(KindContext, 0)
		check(t, engine.Flush(ctx))
		return resident(t)
	}
	before := work(1000)
	if grown := work(3000) - before; grown > 40_000_000 {
		t.Fatalf("%d bytes more", grown)
	}
}

func resident(t *testing.T) int64 {
	text, err := os.ReadFile("/proc/self/statm")
	if err != nil {
		t.Skip("this system does not say how much memory a process uses")
	}
	var size, pages int64
	_, err = fmt.Sscan(string(text), &size, &pages)
	check(t, err)
	return pages * int64(os.Getpagesize())
}

func TestVersion(t *testing.T) {
	if Version() == "" || Code(2).String() != "not-found" {
		t.Fatal(Version(), Code(2))
	}
}
