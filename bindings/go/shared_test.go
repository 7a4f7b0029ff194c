package aura

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"runtime"
	"testing"
	"time"
)

var ctx = context.Background()

func TestMain(m *testing.M) {
	code := m.Run()
	if code == 0 {
		if left := alive(KindAll, 0); left != 0 {
			fmt.Fprintf(os.Stderr, "%d native objects are alive after all tests\n", left)
			code = 1
		}
	}
	os.Exit(code)
}

// alive waits until no more than most native objects of a kind are alive, and says how many are.
func alive(kind Kind, most int) int {
	end := time.Now().Add(10 * time.Second)
	for {
		runtime.GC()
		left := DebugLive(kind)
		if left <= most || time.Now().After(end) {
			return left
		}
		runtime.Gosched()
	}
}

func opened(t testing.TB) *Engine {
	t.Helper()
	engine, err := OpenInMemory()
	check(t, err)
	t.Cleanup(func() { check(t, engine.Close()) })
	return engine
}

func stored(t testing.TB) (*Engine, string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "aura.db")
	engine, err := Open(path)
	check(t, err)
	t.Cleanup(func() { check(t, engine.Close()) })
	return engine, path
}

func check(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// fails holds an error to its sentinel and the field it names.
func fails(t testing.TB, err error, sentinel error, field string) {
	t.Helper()
	var found *Error
	if !errors.Is(err, sentinel) || !errors.As(err, &found) {
		t.Fatalf("%v is not %v", err, sentinel)
	}
	if field != "" && found.Field != field {
		t.Fatalf("%v names %q, not %q", err, found.Field, field)
	}
}

func filled(t testing.TB, turns int) *Session {
	t.Helper()
	chat := opened(t).Session("s")
	for n := range turns {
		_, err := chat.RecordExchange(ctx, fmt.Sprintf("Parcel %d weighs %d kilograms.", n, n*7), fmt.Sprintf("Parcel %d is noted.", n))
		check(t, err)
	}
	return chat
}
