module github.com/libaura/aura/bindings/go/lib/linux-amd64

go 1.24
