package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"strconv"
	"time"

	"paydown/internal/webhook"
)

type webhooksVerifyCmd struct {
	signingSecrets
	Timestamp         string `required:"" placeholder:"SECONDS" help:"X-Timestamp or webhook-timestamp, as received."`
	Signature         string `placeholder:"HEX" help:"X-Signature or X-Signature-Previous, as received."`
	StandardSignature string `placeholder:"v1,BASE64" help:"webhook-signature, as received; requires --id."`
	ID                string `name:"id" placeholder:"MSG" help:"webhook-id, as received."`
	At                string `placeholder:"TIME" help:"When the delivery was received, in RFC 3339 or seconds since 1970, to verify an old one. Default: now."`
	File              string `arg:"" optional:"" default:"-" complete:"file" help:"File with the body, byte for byte; - or nothing reads it from standard input."`
	JSON              bool   `name:"json" help:"Print JSON: {\"valid\": …, \"reason\": \"…\"}."`

	at time.Time
}

// Help explains the exit code.
func (*webhooksVerifyCmd) Help() string {
	return "The exit code is 0 if every given signature matches and the timestamp is within five minutes, otherwise 1. " +
		"Events that the company's own systems send to paydown are signed the same way, with a secret that the company " +
		"chooses: verify them with --signature."
}

// Validate checks which flags are given together.
func (cmd *webhooksVerifyCmd) Validate() error {
	if cmd.Signature == "" && cmd.StandardSignature == "" {
		return errors.New("use --signature, or --standard-signature with --id")
	}
	if (cmd.StandardSignature == "") != (cmd.ID == "") {
		return errors.New("--standard-signature and --id must be given together")
	}
	if cmd.At == "" {
		cmd.at = time.Now()
		return nil
	}
	if seconds, err := strconv.ParseInt(cmd.At, 10, 64); err == nil {
		cmd.at = time.Unix(seconds, 0)
		return nil
	}
	var err error
	if cmd.at, err = time.Parse(time.RFC3339, cmd.At); err != nil {
		return fmt.Errorf("--at must be a time such as 2026-01-05T14:30:00Z, or seconds since 1970, not %q", cmd.At)
	}
	return nil
}

// Run verifies the delivery.
func (cmd *webhooksVerifyCmd) Run(c *cli) error {
	secrets, err := cmd.secrets()
	if err != nil {
		return err
	}
	body, err := cmd.body()
	if err != nil {
		return err
	}
	h := cmd.header()
	reason := verifyDelivery(secrets, h, body, cmd.at)
	if reason == nil {
		return cmd.say(c, true, "valid")
	}
	text := "not valid: " + reason.Error()
	switch {
	case errors.Is(reason, webhook.ErrSignature):
		text += hint(secrets, h, body, cmd.at)
	case errors.Is(reason, webhook.ErrStale):
		text += ". Use --at to verify an old delivery"
	}
	if err := cmd.say(c, false, printable(text)); err != nil {
		return err
	}
	return errSilent
}

// secrets may have any form for X-Signature, which companies' own systems use with secrets of their choice.
func (cmd *webhooksVerifyCmd) secrets() ([]string, error) {
	if cmd.StandardSignature != "" {
		return cmd.readIssued()
	}
	return cmd.read()
}

func (cmd *webhooksVerifyCmd) header() http.Header {
	h := http.Header{}
	if cmd.Signature != "" {
		h.Set(webhook.HeaderTimestamp, cmd.Timestamp)
		h.Set(webhook.HeaderSignature, cmd.Signature)
	}
	if cmd.StandardSignature != "" {
		h.Set(webhook.HeaderStandardID, cmd.ID)
		h.Set(webhook.HeaderStandardTimestamp, cmd.Timestamp)
		h.Set(webhook.HeaderStandardSignature, cmd.StandardSignature)
	}
	return h
}

// maxCapture limits the body, in bytes: more than any delivery has.
const maxCapture = 16 << 20

func (cmd *webhooksVerifyCmd) body() ([]byte, error) {
	source, name := os.Stdin, "standard input"
	if cmd.File != "-" {
		var err error
		if source, err = os.Open(cmd.File); err != nil {
			return nil, err
		}
		defer func() { _ = source.Close() }()
		name = cmd.File
	}
	body, err := io.ReadAll(io.LimitReader(source, maxCapture+1))
	if err == nil && len(body) > maxCapture {
		err = errors.New("the body must be at most 16 MiB")
	}
	if err != nil {
		return nil, fmt.Errorf("read the body from %s: %w", name, err)
	}
	return body, nil
}

// hint detects usual changes of a body by editors and frameworks, if undoing one makes the signature match.
func hint(secrets []string, h http.Header, body []byte, at time.Time) string {
	matches := func(changed []byte) bool {
		err := verifyDelivery(secrets, h, changed, at)
		return !bytes.Equal(changed, body) && (err == nil || errors.Is(err, webhook.ErrStale))
	}
	var compact bytes.Buffer
	switch {
	case matches(bytes.TrimRight(body, "\r\n")):
		return ". It matches without the line break at the end of the body, which an editor or echo may have added"
	case matches(append(bytes.Clone(body), '\n')):
		return ". It matches with a line break at the end of the body, which is missing"
	case json.Compact(&compact, body) == nil && matches(compact.Bytes()):
		return ". It matches the body without white space between its parts: the body was reformatted after it was received"
	default:
		return ""
	}
}

func (cmd *webhooksVerifyCmd) say(c *cli, valid bool, text string) error {
	if cmd.JSON {
		verdict := map[string]any{"valid": valid, "reason": text}
		if valid {
			verdict["reason"] = nil
		}
		return c.printJSON(verdict)
	}
	_, err := fmt.Fprintln(c.out, text)
	return err
}
