package main

import (
	"context"
	"crypto/rand"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"github.com/lib/pq"

	"paydown/ent"
	"paydown/internal/civil"
	"paydown/internal/ledger"
	"paydown/internal/money"
	"paydown/internal/payment"
)

type newPayment struct {
	DealID      int             `json:"dealId"`
	Type        payment.Type    `json:"type"`
	Amount      money.Amount    `json:"amount"`
	Method      *payment.Method `json:"method"`
	ReferenceID *string         `json:"referenceId"`
	Note        *string         `json:"note"`
}

func now() time.Time { return time.Now().UTC().Truncate(time.Millisecond) }

// createPayment stores a pending payment and its audit entry.
func (b *bare) createPayment(r *http.Request) (any, error) {
	var in newPayment
	if err := json.NewDecoder(r.Body).Decode(&in); err != nil {
		return nil, err
	}
	direction, source := payment.In, payment.FromAPI
	at := now()
	p := &ent.Payment{
		TenantID: b.Tenant, CreatedAt: at, UpdatedAt: at, DealID: in.DealID, Type: in.Type, Status: payment.Pending,
		Amount: in.Amount, Direction: &direction, Source: &source, Method: in.Method,
		ReferenceID: in.ReferenceID, Note: in.Note,
	}
	err := b.insertPayment(r.Context(), p)
	return map[string]*barePayment{"payment": onWire(p)}, err
}

func (b *bare) insertPayment(ctx context.Context, p *ent.Payment) error {
	columns := []any{b.Tenant, p.DealID, p.Type, p.Amount, p.Method, p.ReferenceID, p.Note, p.CreatedAt}
	if b.postgres {
		after, err := json.Marshal(p)
		if err != nil {
			return err
		}
		columns = append(columns, b.KeyID, b.KeyName, requestID(), after)
		return b.row(ctx, nil, "create", columns, []any{&p.ID})
	}
	return b.inTx(ctx, func(tx *sql.Tx) error {
		var one int
		if err := b.row(ctx, tx, "deal exists", []any{b.Tenant, p.DealID}, []any{&one}); err != nil {
			return err
		}
		if err := b.row(ctx, tx, "create", columns, []any{&p.ID}); err != nil {
			return err
		}
		return b.audit(ctx, tx, "payment.create", nil, p, nil)
	})
}

// payPayment makes a pending payment PAID: it posts the collection, and stores the audit entry and the event.
func (b *bare) payPayment(r *http.Request) (any, error) {
	var in struct {
		Status payment.Status `json:"status"`
	}
	if err := json.NewDecoder(r.Body).Decode(&in); err != nil || in.Status != payment.Paid {
		return nil, errors.New("the bare server knows one change only")
	}
	id, err := strconv.Atoi(r.PathValue("id"))
	if err != nil {
		return nil, err
	}
	var after *ent.Payment
	err = b.inTx(r.Context(), func(tx *sql.Tx) error {
		after, err = b.pay(r.Context(), tx, id)
		return err
	})
	if err != nil {
		return nil, err
	}
	return map[string]*barePayment{"payment": onWire(after)}, nil
}

func (b *bare) pay(ctx context.Context, tx *sql.Tx, id int) (*ent.Payment, error) {
	var p ent.Payment
	var facts ledger.Facts
	var participations int
	err := b.row(ctx, tx, "payable", []any{b.Tenant, id}, []any{
		&p.ID, &p.TenantID, &p.CreatedAt, &p.UpdatedAt, &p.DealID, &p.Type, &p.Status, &p.Amount, &p.Direction, &p.Source,
		&p.Method, &p.Episode, &p.ScheduledDate, &p.ClearedDate, &p.ExternalTransferID, &p.ReferenceID, &p.Note,
		&p.InitiatedAt, &p.ReturnedAt, &p.AccountID, &p.SyndicatorID, &p.BounceCodeID, &p.BankAccountTokenID,
		&p.LocDrawID, &p.MadeUpByID, &p.PlannedAmount, &facts.Funded, &facts.Payback, &participations,
	})
	if err != nil {
		return nil, err
	}
	if p.Status != payment.Pending || participations > 0 {
		return nil, errors.New("the bare server pays pending payments of deals without syndicators")
	}
	balances, err := b.balances(ctx, tx, p.DealID)
	if err != nil {
		return nil, err
	}
	entries, err := ledger.Pay(facts, balances, p.Type, p.Amount, *p.Method, 0)
	if err != nil {
		return nil, err
	}
	if len(entries) != 1 || len(entries[0].Lines) != 4 {
		return nil, fmt.Errorf("the bare server posts one entry of four lines, not %v", entries)
	}
	at := now()
	after := p
	today := civil.On(at, b.zone)
	after.Status, after.Episode, after.UpdatedAt = payment.Paid, p.Episode+1, at
	after.ClearedDate, after.InitiatedAt = &today, &at
	return &after, b.store(ctx, tx, &p, &after, entries[0])
}

func (b *bare) balances(ctx context.Context, tx *sql.Tx, dealID int) (ledger.Balances, error) {
	rows, err := b.rows(ctx, tx, "sums", b.Tenant, dealID)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	balances := ledger.Balances{}
	for rows.Next() {
		var key ledger.Key
		var cents int64
		if err := rows.Scan(&key.Account, &key.SyndicatorID, &key.Kind, &cents); err != nil {
			return nil, err
		}
		balances[key] = money.Cents(cents)
	}
	return balances, rows.Err()
}

func (b *bare) store(ctx context.Context, tx *sql.Tx, before, after *ent.Payment, e ledger.Entry) error {
	event, err := json.Marshal(map[string]any{
		"paymentId": after.ID, "dealId": after.DealID, "amount": after.Amount, "source": "API", // whoever marked it paid
	})
	if err != nil {
		return err
	}
	if b.postgres {
		return b.storeAtOnce(ctx, tx, before, after, e, event)
	}
	if err := b.run(ctx, tx, "pay", b.Tenant, after.ID, after.Episode, after.ClearedDate, after.UpdatedAt); err != nil {
		return err
	}
	var journal int
	entry := []any{
		b.Tenant, after.ID, after.Episode, after.UpdatedAt, e.Kind, e.Memo, len(e.Lines), after.DealID, after.ClearedDate,
	}
	if err := b.row(ctx, tx, "journal", entry, []any{&journal}); err != nil {
		return err
	}
	lines := []any{b.Tenant, journal, after.ID, after.DealID, e.Kind}
	for _, l := range e.Lines {
		lines = append(lines, l.Account, l.Amount)
	}
	if err := b.run(ctx, tx, "postings", lines...); err != nil {
		return err
	}
	if err := b.run(ctx, tx, "outbox", b.Tenant, after.UpdatedAt, event, after.ID); err != nil {
		return err
	}
	effects := fmt.Sprintf(`[{"entity":"journal","ids":[%d],"change":"create"}]`, journal)
	return b.audit(ctx, tx, "payment.update", before, after, []byte(effects))
}

func (b *bare) storeAtOnce(
	ctx context.Context, tx *sql.Tx, before, after *ent.Payment, e ledger.Entry, event []byte,
) error {
	accounts, amounts := make([]string, len(e.Lines)), make([]string, len(e.Lines))
	for i, l := range e.Lines {
		accounts[i], amounts[i] = string(l.Account), l.Amount.String()
	}
	rawBefore, err := json.Marshal(before)
	if err != nil {
		return err
	}
	rawAfter, err := json.Marshal(after)
	if err != nil {
		return err
	}
	return b.run(ctx, tx, "pay", b.Tenant, after.ID, after.Episode, after.ClearedDate, after.UpdatedAt, e.Kind, e.Memo,
		after.DealID, pq.Array(accounts), pq.Array(amounts), event, b.KeyID, b.KeyName, requestID(), rawBefore, rawAfter)
}

func (b *bare) audit(ctx context.Context, tx *sql.Tx, action string, before, after *ent.Payment, effects []byte) error {
	var rawBefore []byte
	var err error
	if before != nil {
		if rawBefore, err = json.Marshal(before); err != nil {
			return err
		}
	}
	rawAfter, err := json.Marshal(after)
	if err != nil {
		return err
	}
	return b.run(ctx, tx, "audit", after.UpdatedAt, b.Tenant, b.KeyID, b.KeyName, requestID(), action, after.ID,
		after.DealID, rawBefore, rawAfter, effects)
}

func requestID() string { return "req_" + rand.Text() }

func (b *bare) inTx(ctx context.Context, work func(*sql.Tx) error) error {
	tx, err := b.writer.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	if err := work(tx); err != nil {
		return errors.Join(err, tx.Rollback())
	}
	return tx.Commit()
}

func onWire(p *ent.Payment) *barePayment {
	out := &barePayment{
		ID: p.ID, DealID: p.DealID, Type: string(p.Type), Status: string(p.Status), Amount: amount(p.Amount.String()),
		AccountID: p.AccountID, SyndicatorID: p.SyndicatorID, BounceCodeID: p.BounceCodeID,
		Direction: (*string)(p.Direction), ExternalTransferID: p.ExternalTransferID, ReferenceID: p.ReferenceID, Note: p.Note,
		Source: (*string)(p.Source), Method: (*string)(p.Method), BankAccountTokenID: p.BankAccountTokenID,
		LocDrawID: p.LocDrawID, MadeUpByID: p.MadeUpByID,
		CreatedAt: stamp(p.CreatedAt.Format(wireTime)), UpdatedAt: stamp(p.UpdatedAt.Format(wireTime)),
	}
	if p.ScheduledDate != nil {
		d := day(p.ScheduledDate.String())
		out.ScheduledDate = &d
	}
	if p.ClearedDate != nil {
		d := day(p.ClearedDate.String())
		out.ClearedDate = &d
	}
	if p.InitiatedAt != nil {
		s := stamp(p.InitiatedAt.Format(wireTime))
		out.InitiatedAt = &s
	}
	return out
}
