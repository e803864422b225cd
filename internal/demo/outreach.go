package demo

import (
	"context"
	"fmt"

	"paydown/ent/communication"
	"paydown/ent/renewalopportunity"
	"paydown/internal/civil"
	"paydown/internal/money"
	"paydown/internal/schedule"
	"paydown/internal/service"
)

// The companies call and text between these times, in minutes after midnight of their own time zone: office
// hours in every state, even the westernmost.
const (
	callsFrom  = 14*60 + 10
	callsUntil = 17*60 + 20
)

// contact is a call or a text message, with what was said.
type contact struct {
	inbound bool
	// ended is how a call ended, by the code of the tenant's list; "" for a text message.
	ended string
	text  string
}

// seconds is how long a call takes that ends so.
func (c contact) seconds(roll int) int {
	switch c.ended {
	case "NO_ANSWER", "BUSY", "WRONG_NUMBER":
		return 0
	case "VOICEMAIL":
		return 25 + roll%30
	case "NOT_INTERESTED", "DO_NOT_CALL", "CALL_BACK":
		return 40 + roll%100
	default:
		return 120 + roll%600
	}
}

// reach plans a contact with the merchant, on a day within office hours.
func (d *life) reach(day civil.Date, c contact) {
	roll := d.side.IntN(10_000)
	logContact := func(ctx context.Context) error { return d.logContact(ctx, c, roll) }
	d.on(schedule.RollForward(day), callsFrom+roll%(callsUntil-callsFrom), logContact)
}

func (d *life) logContact(ctx context.Context, c contact, roll int) error {
	in := service.NewCommunication{
		Channel: some(communication.ChannelSMS), Direction: some(communication.DirectionOUTBOUND), DealID: some(d.id),
		FromAddr: some(d.company.phone), ToAddr: some(d.ownerPhone()), Body: text(c.text),
	}
	if c.ended != "" {
		in.Channel, in.DurationSec = some(communication.ChannelCALL), some(c.seconds(roll))
		in.DispositionReasonID = some(d.lists.dispositions[c.ended])
	}
	if c.inbound {
		in.Direction, in.FromAddr, in.ToAddr = some(communication.DirectionINBOUND), in.ToAddr, in.FromAddr
	}
	_, err := d.step(ctx, "contact with "+d.merchant, func(ctx context.Context) (int, error) {
		row, err := d.Communications.Log(ctx, in)
		if err != nil {
			return 0, err
		}
		return row.ID, nil
	})
	return err
}

func (d *life) ownerPhone() string {
	for i, m := range d.company.merchants {
		if m.slug == d.merchant {
			return m.phone(99 - (d.company.firstNumber + i))
		}
	}
	return ""
}

func message(format string, args ...any) contact { return contact{text: fmt.Sprintf(format, args...)} }

func answer(s string) contact { return contact{inbound: true, text: s} }

// introduce is what is said when a deal has come in.
func (d *life) introduce(day civil.Date) {
	switch d.side.IntN(4) {
	case 0:
		d.reach(day, contact{ended: "VOICEMAIL"})
		d.reach(day.AddDays(1), contact{inbound: true, ended: "SPOKE"})
	case 1:
		d.reach(day, contact{ended: "CALL_BACK"})
	case 2:
		d.reach(day, contact{ended: "INTERESTED"})
	default:
		d.reach(day, contact{ended: "SPOKE"})
	}
}

// logDocumentRequest logs a request for missing documents.
func (d *life) logDocumentRequest(day civil.Date) {
	d.reach(day, message("%s: we are reviewing your application and still need your three latest bank statements. "+
		"Reply here with questions.", d.company.name))
	if d.side.IntN(2) == 0 {
		d.reach(day.AddDays(1), answer("Sent them just now, let me know if they came through."))
	}
}

// welcome is what is said when a deal is funded.
func (d *life) welcome(first due) {
	d.reach(d.today(), message("%s: your funding of $%s is on its way. The first payment of $%s is due on %s.",
		d.company.name, dollars(d.amount), first.amount, first.day))
}

// logReturnCall logs a call about a returned debit.
func (d *life) logReturnCall(amount money.Amount, day civil.Date) {
	today := d.today()
	switch d.side.IntN(5) {
	case 0:
		d.reach(today, contact{ended: "NO_ANSWER"})
		d.reach(today, message("%s: your payment of $%s of %s was returned by your bank. Please call us at %s.",
			d.company.name, amount, day, d.company.phone))
	case 1:
		d.reach(today, contact{ended: "VOICEMAIL"})
	case 2:
		d.reach(today, contact{ended: "PROMISE_TO_PAY"})
	case 3:
		d.reach(today, message("%s: your payment of $%s of %s was returned by your bank. Please call us at %s.",
			d.company.name, amount, day, d.company.phone))
		d.reach(today.AddDays(1), answer("Sorry about that, the money will be there tomorrow."))
	default:
		d.reach(today, contact{ended: "SPOKE"})
	}
}

// press is what is said to a merchant in default.
func (d *life) press() {
	day := d.today()
	for i, ended := range [][]string{
		{"NO_ANSWER", "VOICEMAIL", "DISPUTE"},
		{"WRONG_NUMBER", "BUSY", "PROMISE_TO_PAY"},
		{"VOICEMAIL", "SPOKE", "DO_NOT_CALL"},
	}[d.number%3] {
		d.reach(day.AddDays(1+2*i), contact{ended: ended})
	}
}

// logRenewalCall logs a call about a renewal.
func (d *life) logRenewalCall(status renewalopportunity.Status) {
	switch status {
	case renewalopportunity.StatusCONTACTED:
		d.reach(d.today(), contact{ended: "INTERESTED"})
		d.reach(d.today(), message("%s: you have paid down a good part of your balance. "+
			"You may qualify for more funding, ask us how.", d.company.name))
	case renewalopportunity.StatusDISMISSED:
		d.reach(d.today(), contact{ended: "NOT_INTERESTED"})
	default: // nobody has called yet
	}
}
