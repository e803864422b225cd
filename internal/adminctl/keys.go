package adminctl

import (
	"context"
	"fmt"
	"strings"
	"time"

	"paydown/rpc/adminv1"
)

type keysCmd struct {
	List   keysListCmd   `cmd:"" help:"List the keys, newest first."`
	Get    keysGetCmd    `cmd:"" help:"Show a key."`
	Create keysCreateCmd `cmd:"" help:"Create a key and print its token, once."`
	Rotate keysRotateCmd `cmd:"" help:"Replace a key and print the new token, once; the old one stays valid for 24 hours."`
	Edit   keysEditCmd   `cmd:"" help:"Change a key's name, purpose, scopes, addresses or limit."`
	Revoke keysRevokeCmd `cmd:"" help:"Revoke a key, everywhere within a second."`
	Usage  keysUsageCmd  `cmd:"" help:"Show how a key has been used."`
}

// keyID identifies a key.
type keyID struct {
	ID uint32 `arg:"" help:"Id of the key."`
}

type keysListCmd struct{ Company }

// Run lists the keys.
func (cmd *keysListCmd) Run(ctx context.Context, env *Env) error {
	s, err := cmd.open(ctx, env)
	if err != nil {
		return err
	}
	answer, err := s.keys.ListKeys(ctx, &adminv1.ListKeysRequest{Tenant: s.tenant})
	return s.tell(ctx, answer, err, func(t *table) {
		t.row("ID", "NAME", "KIND", "LAST 4", "STATUS", "LIMIT", "CREATED", "CALLS", "LAST USED", "FROM", "SCOPES")
		for _, k := range answer.GetKeys() {
			t.row(
				k.GetId(), k.GetName(), k.GetKind(), "…"+k.GetLast4(), keyStatus(k, s.Now()), k.GetRateLimit(), k.GetCreatedAt(),
				k.GetCallCount(), k.GetLastUsedAt(), k.LastUsedAddress, k.GetScopes(),
			)
		}
	})
}

// keyStatus describes whether a key is valid.
func keyStatus(k *adminv1.Key, now time.Time) string {
	switch {
	case k.GetRevokedAt() != nil:
		return "revoked"
	case k.GetExpiresAt() != nil && now.After(k.GetExpiresAt().AsTime()):
		return "expired"
	case k.GetRetiresAt() != nil && now.After(k.GetRetiresAt().AsTime()):
		return "replaced"
	case k.GetRetiresAt() != nil:
		return "valid until " + when(k.GetRetiresAt())
	case k.GetExpiresAt() != nil:
		return "expires " + when(k.GetExpiresAt())
	default:
		return "valid"
	}
}

// keyFields prints a key.
func keyFields(t *table, k *adminv1.Key, now time.Time) {
	t.fields("Id", k.GetId(), "Name", k.GetName(), "Purpose", k.GetPurpose(), "Kind", k.GetKind(),
		"Token last 4", "…"+k.GetLast4(),
		"Status", keyStatus(k, now), "Replaced by", k.ReplacedById, "Scopes", k.GetScopes(), "Flags", k.GetLegacyFlags(),
		"Addresses", k.GetIpAllowList(), "Requests per minute", k.GetRateLimit(), "Created", k.GetCreatedAt())
}

type keysGetCmd struct {
	Company
	keyID
}

// Run shows the key.
func (cmd *keysGetCmd) Run(ctx context.Context, env *Env) error {
	s, err := cmd.open(ctx, env)
	if err != nil {
		return err
	}
	answer, err := s.keys.GetKey(ctx, &adminv1.GetKeyRequest{Tenant: s.tenant, Id: cmd.ID})
	return s.tell(ctx, answer, err, func(t *table) { keyFields(t, answer.GetKey(), s.Now()) })
}

type keysCreateCmd struct {
	Company
	Name        string  `required:"" help:"Name of the key."`
	Kind        string  `default:"live" enum:"live,test" help:"live for production data, test for the sandbox. Default: ${default}."`
	Scopes      words   `placeholder:"SCOPE,…" help:"RESOURCE:read, RESOURCE:write or *:read; write implies read. Resources: ${resources}."`
	Purpose     string  `help:"Purpose of the key."`
	LegacyFlags words   `placeholder:"FLAG,…" help:"Permission flags of a key that predates scopes, instead of scopes: ${flags}."`
	ExpiresDays *uint32 `help:"30, 90 or 365; without it the key does not expire."`
	Allow       words   `placeholder:"CIDR,…" help:"Addresses the key may be used from: IPv4 or IPv6 addresses, or IPv4 ranges."`
	RateLimit   *uint32 `help:"Requests allowed in 60 seconds; 0 means no limit. Default: 120."`
}

// Run creates the key.
func (cmd *keysCreateCmd) Run(ctx context.Context, env *Env) error {
	s, err := cmd.open(ctx, env)
	if err != nil {
		return err
	}
	answer, err := s.keys.CreateKey(ctx, &adminv1.CreateKeyRequest{
		Tenant: s.tenant, Name: cmd.Name, Purpose: cmd.Purpose, Kind: strings.ToUpper(cmd.Kind), Scopes: cmd.Scopes,
		ExpiresDays: cmd.ExpiresDays, IpAllowList: cmd.Allow, RateLimit: cmd.RateLimit, LegacyFlags: cmd.LegacyFlags,
	})
	key := answer.GetKey()
	return s.issued(ctx, answer, err, answer.GetToken(),
		fmt.Sprintf("Key %d, %s, created. Its token is shown only once:", key.GetId(), plain(key.GetName())))
}

type keysRotateCmd struct {
	Company
	keyID
	sure
}

// Run rotates the key.
func (cmd *keysRotateCmd) Run(ctx context.Context, env *Env) error {
	s, err := cmd.open(ctx, env)
	if err != nil {
		return err
	}
	err = s.confirm(cmd.sure, "Replace key %d of %s? The old one stops working in 24 hours.", cmd.ID, s.tenant)
	if err != nil {
		return err
	}
	answer, err := s.keys.RotateKey(ctx, &adminv1.RotateKeyRequest{Tenant: s.tenant, Id: cmd.ID})
	key := answer.GetKey()
	return s.issued(ctx, answer, err, answer.GetToken(), fmt.Sprintf(
		"Key %d, %s, replaces key %d, which stays valid for 24 hours. Its token is shown only once:",
		key.GetId(), plain(key.GetName()), cmd.ID))
}

type keysEditCmd struct {
	Company
	keyID
	Name         *string `help:"Name of the key."`
	Purpose      *string `help:"Purpose of the key; may be empty."`
	Scopes       words   `placeholder:"SCOPE,…" help:"New scopes of the key: RESOURCE:read, RESOURCE:write or *:read. Editing a key with permission flags replaces the flags with these scopes, or with those that the flags imply."`
	Allow        words   `xor:"allow" placeholder:"CIDR,…" help:"Addresses the key may be used from: IPv4 or IPv6 addresses, or IPv4 ranges."`
	AllowAnybody bool    `xor:"allow" help:"Allow the key from any address."`
	RateLimit    *uint32 `help:"Requests allowed in 60 seconds; 0 means no limit."`
}

// Run edits the key.
func (cmd *keysEditCmd) Run(ctx context.Context, env *Env) error {
	if cmd.Name == nil && cmd.Purpose == nil && cmd.Scopes == nil && cmd.Allow == nil && !cmd.AllowAnybody &&
		cmd.RateLimit == nil {
		return noFlagsGiven()
	}
	s, err := cmd.open(ctx, env)
	if err != nil {
		return err
	}
	req := &adminv1.UpdateKeyRequest{
		Tenant: s.tenant, Id: cmd.ID, Name: cmd.Name, Purpose: cmd.Purpose, RateLimit: cmd.RateLimit,
	}
	if len(cmd.Scopes) > 0 {
		req.Scopes = &adminv1.StringList{Values: cmd.Scopes}
	}
	if len(cmd.Allow) > 0 || cmd.AllowAnybody {
		req.IpAllowList = &adminv1.StringList{Values: cmd.Allow}
	}
	answer, err := s.keys.UpdateKey(ctx, req)
	return s.tell(ctx, answer, err, func(t *table) { keyFields(t, answer.GetKey(), s.Now()) })
}

type keysRevokeCmd struct {
	Company
	keyID
	sure
}

// Run revokes the key.
func (cmd *keysRevokeCmd) Run(ctx context.Context, env *Env) error {
	s, err := cmd.open(ctx, env)
	if err != nil {
		return err
	}
	err = s.confirm(cmd.sure, "Revoke key %d of %s? Its users are refused immediately and permanently.", cmd.ID, s.tenant)
	if err != nil {
		return err
	}
	answer, err := s.keys.RevokeKey(ctx, &adminv1.RevokeKeyRequest{Tenant: s.tenant, Id: cmd.ID})
	return s.tell(ctx, answer, err, func(t *table) { keyFields(t, answer.GetKey(), s.Now()) })
}

type keysUsageCmd struct {
	Company
	keyID
}

// Run shows how the key was used.
func (cmd *keysUsageCmd) Run(ctx context.Context, env *Env) error {
	s, err := cmd.open(ctx, env)
	if err != nil {
		return err
	}
	answer, err := s.keys.GetKeyUsage(ctx, &adminv1.GetKeyUsageRequest{Tenant: s.tenant, Id: cmd.ID})
	return s.tell(ctx, answer, err, func(t *table) {
		t.fields("Requests", answer.GetCallCount(), "Last used", answer.GetLastUsedAt(),
			"From", answer.GetLastUsedAddress())
	})
}
