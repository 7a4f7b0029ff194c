//go:build aura_use_lib || !(linux && amd64)

package aura

// #cgo LDFLAGS: -laura
import "C"
