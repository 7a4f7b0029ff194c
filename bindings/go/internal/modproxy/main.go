// Command modproxy lays modules out as a file-system module proxy, so that a test can install them without a network.
//
//	go run ./internal/modproxy PROXY VERSION MODULE=FOLDER...
package main

import (
	"archive/zip"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

func main() {
	if len(os.Args) < 4 {
		fmt.Fprintln(os.Stderr, "usage: modproxy PROXY VERSION MODULE=FOLDER...")
		os.Exit(2)
	}
	for _, module := range os.Args[3:] {
		path, folder, _ := strings.Cut(module, "=")
		if err := layOut(os.Args[1], path, os.Args[2], folder); err != nil {
			fmt.Fprintln(os.Stderr, "modproxy:", err)
			os.Exit(1)
		}
	}
}

func layOut(proxy, module, version, folder string) error {
	home := filepath.Join(proxy, filepath.FromSlash(module), "@v")
	if err := os.MkdirAll(home, 0o755); err != nil {
		return err
	}
	manifest, err := os.ReadFile(filepath.Join(folder, "go.mod"))
	if err != nil {
		return err
	}
	files := map[string]string{
		"list":            version + "\n",
		version + ".info": fmt.Sprintf(`{"Version":%q}`, version),
		version + ".mod":  string(manifest),
	}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(home, name), []byte(text), 0o644); err != nil {
			return err
		}
	}
	return pack(filepath.Join(home, version+".zip"), module+"@"+version, folder)
}

// pack writes the files of a module, without those of modules below it.
func pack(archive, prefix, folder string) (err error) {
	file, err := os.Create(archive)
	if err != nil {
		return err
	}
	defer func() {
		if closed := file.Close(); err == nil {
			err = closed
		}
	}()
	packed := zip.NewWriter(file)
	err = filepath.WalkDir(folder, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		relative, err := filepath.Rel(folder, path)
		if err != nil {
			return err
		}
		if entry.IsDir() {
			if _, found := os.Stat(filepath.Join(path, "go.mod")); found == nil && relative != "." {
				return filepath.SkipDir
			}
			return nil
		}
		if entry.Name() == "go.work" || entry.Name() == "go.work.sum" {
			return nil
		}
		return add(packed, prefix+"/"+filepath.ToSlash(relative), path)
	})
	if err != nil {
		return err
	}
	return packed.Close()
}

func add(packed *zip.Writer, name, path string) error {
	source, err := os.Open(path)
	if err != nil {
		return err
	}
	defer source.Close()
	target, err := packed.Create(name)
	if err != nil {
		return err
	}
	_, err = io.Copy(target, source)
	return err
}
