package identity

import (
	"context"
	"fmt"
	"strings"
	"time"

	"paydown/ent"
	"paydown/ent/accountaccess"
	"paydown/ent/auditentry"
	"paydown/ent/user"
	"paydown/internal/auth"
	"paydown/internal/fault"
	"paydown/internal/service/unit"
	"paydown/internal/service/workspace"
)

// FourEyes refuses an approval if the acting member of staff made the item, or if the same person may be
// behind the actor's and a maker's account: see auth.FourEyes. If no member of staff made the item, anyone
// may approve it.
func FourEyes(ctx context.Context, t *unit.Tx, of approvedItem, makers ...int) error {
	if !t.Actor.IsUser() || len(makers) == 0 {
		return nil
	}
	rows, err := t.AccountAccess.Query().Where(accountaccess.LiftedAtIsNil(),
		accountaccess.CreatedAtGT(t.At().Add(-auth.AccessWindow))).Order(accountaccess.ByID()).All(ctx)
	if err != nil {
		return err
	}
	kinds := make(map[int]accountaccess.Kind, len(rows))
	accesses := make([]auth.AccountAccess, len(rows))
	for i, row := range rows {
		kinds[row.ID] = row.Kind
		accesses[i] = auth.AccountAccess{
			ID: row.ID, Account: row.UserID, By: row.OpenedByID, Until: row.CreatedAt.Add(auth.AccessWindow),
		}
	}
	tie := auth.FourEyes(makers, t.Actor.ID, accesses)
	if tie == nil {
		return nil
	}
	if tie.Until.IsZero() {
		return fault.Conflictf("The person who %s a %s cannot approve it.", of.made, of.noun).
			With("approvedByUserId", "must differ from %s", of.makerField)
	}
	links, err := describePath(ctx, t, append(tie.Checker, tie.Maker...), kinds)
	if err != nil {
		return err
	}
	until := t.FormatTime(tie.Until)
	return fault.Conflictf("You cannot approve this %s: %s. "+
		"Another member can approve it, or an operator can lift this restriction before it ends on %s.",
		of.noun, links, until).
		With("approvedByUserId", "must be independent of %s; it is not until %s", of.makerField,
			tie.Until.UTC().Format(time.RFC3339))
}

// approvedItem describes, for messages, an item that one member of staff makes and another approves.
type approvedItem struct{ noun, made, makerField string }

// What FourEyes is asked about.
var (
	PayoutApproval = approvedItem{"payout", "made", "createdByUserId"}
	DrawApproval   = approvedItem{"draw", "requested", "requestedByUserId"}
)

// accessPhrases describe each kind of access to an account.
var accessPhrases = map[accountaccess.Kind]string{
	accountaccess.KindCREATED:     "%s created the account of %s",
	accountaccess.KindCHANGED:     "%s changed the account of %s",
	accountaccess.KindTOKEN_SHOWN: "%s was shown a link that sets the password of %s",
}

// describePath describes who had access to whose account, and since when.
func describePath(
	ctx context.Context, t *unit.Tx, path []auth.AccountAccess, kinds map[int]accountaccess.Kind,
) (string, error) {
	var ids []int
	for _, a := range path {
		ids = append(ids, a.Account, a.By)
	}
	members, err := t.User.Query().Where(user.IDIn(workspace.Distinct(ids)...)).All(ctx)
	if err != nil {
		return "", err
	}
	names := make(map[int]string, len(members))
	for _, m := range members {
		names[m.ID] = m.Name
	}
	links := make([]string, len(path))
	for i, a := range path {
		links[i] = fmt.Sprintf(accessPhrases[kinds[a.ID]], names[a.By], names[a.Account]) +
			" on " + t.FormatTime(a.Until.Add(-auth.AccessWindow))
	}
	return strings.Join(links, ", and "), nil
}

// Makers returns userID as a list; it is empty if no member of staff made the item.
func Makers(userID *int) []int {
	if userID == nil {
		return nil
	}
	return []int{*userID}
}

// Requesters returns the members of staff who count as having requested a draw. If an API key requested it,
// these are the members who were shown the key's token: whoever created or rotated the key. The audit trail
// has this information, and also knows who requested draws from before the column existed.
func Requesters(ctx context.Context, t *unit.Tx, draw *ent.LocDraw) ([]int, error) {
	if draw.RequestedByUserID != nil {
		return []int{*draw.RequestedByUserID}, nil
	}
	entry, err := t.AuditEntry.Query().Where(auditentry.Entity("locDraw"), auditentry.EntityID(draw.ID),
		auditentry.Action("locDraw.create")).Order(auditentry.ByID()).First(ctx)
	switch {
	case ent.IsNotFound(err):
		return nil, nil
	case err != nil:
		return nil, err
	case entry.ActorID == nil:
		return nil, nil
	}
	switch auth.ActorKind(entry.ActorKind) {
	case auth.ByUser:
		return []int{*entry.ActorID}, nil
	case auth.ByKey:
		return keyHolders(ctx, t, *entry.ActorID)
	case auth.ByMerchant, auth.ByApplicant, auth.ByOperator, auth.BySystem: // not members of staff
	}
	return nil, nil
}

// keyHolders returns the members of staff who were shown the token of an API key.
func keyHolders(ctx context.Context, t *unit.Tx, keyID int) ([]int, error) {
	entries, err := t.AuditEntry.Query().Where(auditentry.Entity("apiKey"), auditentry.EntityID(keyID),
		auditentry.ActionIn("key.create", "key.rotate"), auditentry.ActorKind(string(auth.ByUser)),
		auditentry.ActorIDNotNil()).Order(auditentry.ByID()).All(ctx)
	if err != nil {
		return nil, err
	}
	holders := make([]int, len(entries))
	for i, e := range entries {
		holders[i] = *e.ActorID
	}
	return holders, nil
}
