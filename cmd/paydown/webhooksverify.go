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
	Timestamp         string `required:"" placeholder:"SECONDS" help:"X-Timestamp or webhook-timestamp, as it came."`
	Signature         string `placeholder:"HEX" help:"X-Signature or X-Signature-Previous, as it came."`
	StandardSignature string `placeholder:"v1,BASE64" help:"webhook-signature, as it came; it needs --id."`
	ID                string `name:"id" placeholder:"MSG" help:"webhook-id, as it came."`
	At                string `placeholder:"TIME" help:"When the delivery came, in RFC 3339 or seconds since 1970, to judge an old one by. Default: now."`
	File              string `arg:"" optional:"" default:"-" complete:"file" help:"File with the body, byte for byte; - or nothing reads it from standard input."`
	JSON              bool   `name:"json" help:"Print JSON: {\"valid\": …, \"reason\": \"…\"}."`

	at time.Time
}

// Help tells what the exit code says.
func (*webhooksVerifyCmd) Help() string {
	return "The exit code is 0 where every signature that was given matches and the timestamp is within five minutes, and 1 where not. " +
		"What the company's own systems send to paydown is signed alike, with the secret that the company chose: --signature verifies it."
}

// Validate judges which flags go together.
func (cmd *webhooksVerifyCmd) Validate() error {
	if cmd.Signature == "" && cmd.StandardSignature == "" {
		return errors.New("give --signature, or --standard-signature and --id")
	}
	if (cmd.StandardSignature == "") != (cmd.ID == "") {
		return errors.New("--standard-signature and --id go together")
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

// Run judges the delivery.
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
	reason := judgeDelivery(secrets, h, body, cmd.at)
	if reason == nil {
		return cmd.say(c, true, "valid")
	}
	text := "not valid: " + reason.Error()
	switch {
	case errors.Is(reason, webhook.ErrSignature):
		text += hint(secrets, h, body, cmd.at)
	case errors.Is(reason, webhook.ErrStale):
		text += ". Judge an old delivery with --at"
	}
	if err := cmd.say(c, false, printable(text)); err != nil {
		return err
	}
	return errSilent
}

// secrets are of any form for X-Signature alone, which companies' own systems use with secrets of their choice.
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

// maxCapture is how much of a body is read: more than any that is sent, or taken.
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
		err = errors.New("a body of more than 16 MiB is none of a delivery")
	}
	if err != nil {
		return nil, fmt.Errorf("read the body from %s: %w", name, err)
	}
	return body, nil
}

// hint tells of what editors and frameworks commonly do to a body, where undoing it makes the signature match.
func hint(secrets []string, h http.Header, body []byte, at time.Time) string {
	matches := func(changed []byte) bool {
		err := judgeDelivery(secrets, h, changed, at)
		return !bytes.Equal(changed, body) && (err == nil || errors.Is(err, webhook.ErrStale))
	}
	var compact bytes.Buffer
	switch {
	case matches(bytes.TrimRight(body, "\r\n")):
		return ". It matches without the line break at the end of the body, which an editor or echo may have added"
	case matches(append(bytes.Clone(body), '\n')):
		return ". It matches with a line break at the end of the body, which got lost"
	case json.Compact(&compact, body) == nil && matches(compact.Bytes()):
		return ". It matches the body without the white space between its parts: something has formatted it since it came"
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
