package main

import (
	"time"

	"paydown/internal/adminctl"
)

// adminCmd are the commands for those who run an installation. All but the tokens, without which there is none to call by,
// go through the admin services.
type adminCmd struct {
	adminctl.Commands
	Token adminTokenCmd `cmd:"" help:"Make, list and end admin tokens, straight on the database."`
}

// adminEnv is what the commands that call the admin services work with.
func (c *cli) adminEnv() *adminctl.Env {
	return &adminctl.Env{In: c.in, Out: c.out, Err: c.err, Version: version, Getenv: c.getenv, Now: time.Now}
}
