package e2e

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A backup taken while the program serves is a complete database of its own, readable only by its owner.
func TestBackupOfADatabaseInUse(t *testing.T) {
	t.Parallel()
	program, err := built()
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	i := newInstallation(t, program, "sqlite:"+filepath.Join(folder, "paydown.db"))
	server := i.serve(t)
	lead := server.Post(t, "/leads", object{"businessName": "Harbor Street Bakery LLC"}).In("lead")

	to := filepath.Join(folder, "copy.db")
	i.run(t, "backup", to)
	server.Post(t, "/leads", object{"businessName": "Too Late LLC"})
	info, err := os.Stat(to)
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the copy is %v, %v", info, err)
	}
	copied := *i
	copied.db = "sqlite:" + to
	copied.verified(t)
	again := copied.serve(t)
	if leads := again.Get(t, "/leads").List("leads"); len(leads) != 1 || leads[0].ID() != lead.ID() {
		t.Errorf("the copy has the leads %v", leads)
	}

	if out, err := i.command("backup", to).CombinedOutput(); err == nil ||
		!strings.Contains(string(out), "already exists") {
		t.Errorf("a copy over another: %v %s", err, out)
	}
	elsewhere := filepath.Join(folder, "nowhere", "copy.db")
	if out, err := i.command("backup", elsewhere).CombinedOutput(); err == nil {
		t.Errorf("a copy to nowhere: %s", out)
	}
}

// A command that only reads a database never creates one, however its name is spelled.
func TestVerifyMakesNoDatabase(t *testing.T) {
	t.Parallel()
	program, err := built()
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "mistyped.db")
	i := &installation{program: program, db: "sqlite:" + path}
	for _, command := range [][]string{{"verify"}, {"verify", "--json"}, {"backup", path + ".copy"}} {
		out, err := i.command(command...).CombinedOutput()
		if err == nil || !strings.Contains(string(out), "no database") {
			t.Errorf("%v: %v %s", command, err, out)
		}
	}
	if left, err := os.ReadDir(filepath.Dir(path)); err != nil || len(left) > 0 {
		t.Errorf("it left %v, %v", left, err)
	}
}
