module github.com/libaura/aura/bindings/go

go 1.24

require github.com/libaura/aura/bindings/go/lib/linux-amd64 v0.1.0
