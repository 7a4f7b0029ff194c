//go:build linux && amd64 && !aura_use_lib

package aura

// The engine for this platform comes in a module of its own.
import _ "github.com/libaura/aura/bindings/go/lib/linux-amd64"
