// Package lib links the engine, libaura.a beside this file, into programs for Linux on x86-64.
package lib

// #cgo LDFLAGS: -L${SRCDIR} -laura -lm -lpthread -ldl -static-libgcc
import "C"
