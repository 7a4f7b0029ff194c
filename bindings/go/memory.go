package aura

// #include "shim.h"
import "C"

import (
	"encoding/binary"
	"unsafe"
)

// ptr is where the block of a context begins.
func ptr(view *C.aura_context_view) unsafe.Pointer { return unsafe.Pointer(view.block) }

// nativeUint64 reads a number in the machine's byte order.
func nativeUint64(bytes string) uint64 { return binary.NativeEndian.Uint64([]byte(bytes[:8])) }
