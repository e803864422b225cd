package main

// adminCmd are the commands for those who run an installation.
type adminCmd struct {
	Token adminTokenCmd `cmd:"" help:"Make, list and end admin tokens, straight on the database."`
}
