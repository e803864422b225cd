package adminctl

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// config is the file of contexts.
type config struct {
	Current  string            `json:"current"`
	Contexts map[string]*place `json:"contexts"`
}

// place is a server with credentials: at most one of a token, a variable or a file with a token, and a client
// certificate.
type place struct {
	Server        string `json:"server"`
	Token         string `json:"token,omitempty"`
	TokenVariable string `json:"tokenVariable,omitempty"`
	TokenFile     string `json:"tokenFile,omitempty"`
	CA            string `json:"ca,omitempty"`
	ClientCert    string `json:"clientCert,omitempty"`
	ClientKey     string `json:"clientKey,omitempty"`
	Tenant        string `json:"tenant,omitempty"`
	PlainHTTP     bool   `json:"plainHttp,omitempty"`
}

// maxPrivate limits the size of a private file.
const maxPrivate = 1 << 20

// configPath returns the path of the file.
func configPath() (string, error) {
	dir, err := os.UserConfigDir()
	if err != nil {
		return "", usageError("cannot find the directory for contexts: %s", err)
	}
	return filepath.Join(dir, "paydown", "admin.json"), nil
}

// readConfig reads the file. A missing file means that there are no contexts.
func readConfig() (*config, error) {
	path, err := configPath()
	if err != nil {
		return nil, err
	}
	c := &config{Contexts: map[string]*place{}}
	raw, err := readPrivate(path)
	if errors.Is(err, fs.ErrNotExist) {
		return c, nil
	}
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(raw, c); err != nil {
		return nil, usageError("%s is not a valid file of contexts", path)
	}
	if c.Contexts == nil {
		c.Contexts = map[string]*place{}
	}
	for name, one := range c.Contexts {
		if one == nil {
			delete(c.Contexts, name)
		}
	}
	return c, nil
}

// readPrivate reads a file with secrets, and refuses one that others may read.
func readPrivate(path string) ([]byte, error) {
	f, err := os.Open(path) //nolint:gosec // the path is the caller's own
	if err != nil {
		return nil, err
	}
	defer func() { _ = f.Close() }()
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, usageError("%s is not a regular file", path)
	}
	if runtime.GOOS != "windows" && info.Mode().Perm()&0o077 != 0 {
		return nil, usageError("%s contains secrets, but other users can read or change it (mode %04o): chmod 600 %s",
			path, info.Mode().Perm(), path)
	}
	raw, err := io.ReadAll(io.LimitReader(f, maxPrivate+1))
	if err == nil && len(raw) > maxPrivate {
		return nil, usageError("%s is too large", path)
	}
	return raw, err
}

// write replaces the file atomically, readable by its owner only.
func (c *config) write() error {
	path, err := configPath()
	if err != nil {
		return err
	}
	raw, err := json.MarshalIndent(c, "", "  ")
	if err != nil {
		return err
	}
	dir := filepath.Dir(path)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return err
	}
	f, err := os.CreateTemp(dir, ".admin-*") // has mode 600
	if err != nil {
		return err
	}
	defer func() { _ = os.Remove(f.Name()) }()
	_, err = f.Write(append(raw, '\n'))
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		return fmt.Errorf("write %s: %w", path, err)
	}
	return os.Rename(f.Name(), path)
}

// ContextNames returns the names of all contexts, for completion; none if the file cannot be read.
func ContextNames() []string {
	c, err := readConfig()
	if err != nil {
		return nil
	}
	return slices.Sorted(maps.Keys(c.Contexts))
}

// named returns the context with the name, or the current one if the name is "".
func (c *config) named(name string) (string, *place, error) {
	if name == "" {
		name = c.Current
	}
	if name == "" {
		return "", nil, usageError("no context is set: create one with paydown admin context set NAME --server URL, " +
			"or use --server")
	}
	one := c.Contexts[name]
	if one == nil {
		return "", nil, usageError("no context %q: paydown admin context list shows all", name)
	}
	return name, one, nil
}

// token returns the token of the context, or "" if it uses a certificate.
func (c *place) token(getenv func(string) string) (string, error) {
	switch {
	case c.TokenVariable != "":
		token := getenv(c.TokenVariable)
		if token == "" {
			return "", usageError("the variable %s for the token is not set", c.TokenVariable)
		}
		return token, nil
	case c.TokenFile != "":
		raw, err := readPrivate(c.TokenFile)
		if err != nil {
			return "", notReadable("token", err)
		}
		return strings.TrimSpace(string(raw)), nil
	default:
		return c.Token, nil
	}
}

// notReadable returns the error for a file that cannot be read, named by the command line or a context.
func notReadable(what string, err error) error {
	if _, already := errors.AsType[*ExitError](err); already {
		return err
	}
	return usageError("the %s cannot be read: %s", what, err)
}
