package identity_test

import (
	"context"
	"fmt"
	"net/http"
	"strings"
	"testing"
	"time"

	"paydown/ent"
	"paydown/ent/accountaccess"
	"paydown/ent/auditentry"
	"paydown/ent/locdraw"
	"paydown/internal/apptest"
	"paydown/internal/booktest"
	"paydown/internal/service"
	"paydown/internal/store"
)

// Four eyes, as tested by an administrator who tries to approve their own payout through somebody else's
// account.

// redeem sets apptest.Password with a token, and signs in.
func redeem(t *testing.T, d *booktest.Desk, email, token string) *apptest.Client {
	t.Helper()
	d.Do(t, http.MethodPost, "/auth/reset", object{"token": token, "password": apptest.Password}).Want(t, http.StatusOK)
	return d.Staff(t, email, "")
}

// operator calls the admin services as an operator.
func operator(t *testing.T, a *apptest.App, name string) *apptest.Client {
	t.Helper()
	issued, err := a.AdminTokens.Create(t.Context(), service.NewAdminToken{Name: name})
	if err != nil {
		t.Fatal(err)
	}
	return &apptest.Client{Base: a.Admin.URL, Token: issued.Token, HTTP: http.DefaultClient}
}

// memberBy has an administrator create a member over GraphQL, and returns the token that is shown.
func memberBy(t *testing.T, d *booktest.Desk, admin *apptest.Client, email, code string) string {
	t.Helper()
	made := admin.Graph(t, fmt.Sprintf(`mutation {
		createUser(input: {email: %q, roleId: %d}) { reset { token mailedTo } } }`,
		email, d.RoleID(t, code)), nil).
		In("createUser").
		In("reset")
	if made["mailedTo"] != nil || made.Text("token") == "" {
		t.Fatalf("without a mail server the reset is %v", made)
	}
	return made.Text("token")
}

// refusal returns why an approval is refused with a conflict about approvedByUserId.
func refusal(t *testing.T, c *apptest.Client, mutation, id string) string {
	t.Helper()
	asked := c.Ask(t, fmt.Sprintf("mutation { %s(id: %s) { status } }", mutation, id), nil)
	if asked.Refused(t, "conflict")["approvedByUserId"] == "" {
		t.Fatalf("refused for another reason: %v", asked.Errors)
	}
	return asked.Errors[0].Text("message")
}

// payable is a company whose administrator has created a payout batch; the batch is a draft.
func payable(t *testing.T, a *apptest.App) (b *booktest.Books, rows []object, boss *apptest.Client, batch string) {
	t.Helper()
	b = booktest.OpenBooks(t, a)
	b.Change(t, booktest.At("deals", b.Advance), object{"state": "FUNDED"})
	rows = b.PaymentsOf(t, b.Advance, "")
	for _, p := range rows[:3] {
		b.Change(t, booktest.At("payments", p), object{"status": "PAID"})
	}
	a.AdvanceAll(8 * 24 * time.Hour)
	boss = b.Staff(t, "boss@books.test", "admin")
	return b, rows, boss, boss.Graph(t, booktest.MakeShares, nil).In("makePayoutBatch").Text("id")
}

func TestAnAdministratorDoesNotApproveThroughAnotherAccount(t *testing.T) {
	t.Parallel()
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		b, _, boss, batch := payable(t, a)
		const approve = "approvePayoutBatch"
		accounting := b.RoleID(t, "accounting")

		// Created by the administrator, who redeems the token that is shown.
		made := redeem(t, b.Desk, "made@books.test", memberBy(t, b.Desk, boss, "made@books.test", "accounting"))
		booktest.Says(
			t, refusal(t, made, approve, batch), "You cannot approve this payout", "boss@books.test", "made@books.test",
			"operator",
		)
		answer := booktest.RPC(t, boss, "CreateUser", object{"email": "rpc@books.test", "roleId": accounting}).
			Want(t, http.StatusOK)
		made = redeem(t, b.Desk, "rpc@books.test", answer.Text("token"))
		refusal(t, made, approve, batch)

		// A member created by an operator, until the administrator resets the password.
		for reset, by := range map[string]func(id int) string{
			"graph@books.test": func(id int) string {
				reset := fmt.Sprintf("mutation { resetUserPassword(id: %d) { token } }", id)
				return boss.Graph(t, reset, nil).In("resetUserPassword").Text("token")
			},
			"services@books.test": func(id int) string {
				return booktest.RPC(t, boss, "ResetPassword", object{"id": id}).Want(t, http.StatusOK).Text("token")
			},
		} {
			id := a.Member(t, b.Host, reset, "accounting")
			taken := redeem(t, b.Desk, reset, by(id))
			booktest.Says(
				t, refusal(t, taken, approve, batch), "boss@books.test was shown a link that sets the password of "+reset,
			)
		}

		// Or grants the role, resets the second factor, or unlocks the account.
		id := a.Member(t, b.Host, "promoted@books.test", "read-only")
		boss.Graph(t, fmt.Sprintf("mutation { updateUser(id: %d, input: {roleId: %d}) { id } }", id, accounting), nil)
		booktest.Says(
			t, refusal(t, b.Staff(t, "promoted@books.test", ""), approve, batch),
			"boss@books.test changed the account of promoted@books.test",
		)
		id = a.Member(t, b.Host, "back@books.test", "accounting")
		boss.Graph(t, fmt.Sprintf("mutation { disableUser(id: %d) { id } enableUser(id: %d) { id } }", id, id), nil)
		refusal(t, b.Staff(t, "back@books.test", ""), approve, batch)
		id = a.Member(t, b.Host, "bare@books.test", "accounting")
		b.Write(t, func(ctx context.Context, tx *store.Tx) error {
			return tx.User.UpdateOneID(id).SetTotpSecret([]byte("sealed")).Exec(ctx)
		})
		boss.Graph(t, fmt.Sprintf("mutation { dropUserSecondFactor(id: %d) { id } }", id), nil)
		refusal(t, b.Staff(t, "bare@books.test", ""), approve, batch)

		// Through another administrator.
		other := redeem(t, b.Desk, "other@books.test", memberBy(t, b.Desk, boss, "other@books.test", "admin"))
		far := redeem(t, b.Desk, "far@books.test", memberBy(t, b.Desk, other, "far@books.test", "accounting"))
		booktest.Says(
			t, refusal(t, far, approve, batch), "other@books.test created the account of far@books.test",
			" and boss@books.test created",
		)

		// A name gives no access, and neither does what members do to themselves.
		id = a.Member(t, b.Host, "free@books.test", "admin")
		boss.Graph(t, fmt.Sprintf(`mutation { updateUser(id: %d, input: {name: "Free Lee"}) { id } }`, id), nil)
		free := b.Staff(t, "free@books.test", "")
		free.Graph(t, fmt.Sprintf("mutation { resetUserPassword(id: %d) { token } }", id), nil)
		got := free.Graph(t, "mutation { approvePayoutBatch(id: "+batch+") { status } }", nil).In(approve).Text("status")
		if got != "APPROVED" {
			t.Errorf("the batch is %s", got)
		}
		b.CheckBooks(t)
	})
}

func TestWhoOpenedAnAccountDoesNotCheckItsMember(t *testing.T) {
	t.Parallel()
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		b, rows, boss, first := payable(t, a)
		const approve = "approvePayoutBatch"
		makerToken, checkerToken := memberBy(
			t, b.Desk, boss, "maker@books.test", "accounting",
		), memberBy(
			t, b.Desk, boss, "checker@books.test", "accounting",
		)
		redeem(t, b.Desk, "maker@books.test", makerToken)
		redeem(t, b.Desk, "checker@books.test", checkerToken)
		for _, p := range rows[3:5] {
			b.Change(t, booktest.At("payments", p), object{"status": "PAID"})
		}
		a.AdvanceAll(8 * 24 * time.Hour)
		boss = b.Staff(t, "boss@books.test", "")
		maker, checker := b.Staff(t, "maker@books.test", ""), b.Staff(t, "checker@books.test", "")
		second := maker.Graph(t, booktest.MakeShares, nil).In("makePayoutBatch").Text("id")
		booktest.Says(t, refusal(t, boss, approve, second), "boss@books.test created the account of maker@books.test")
		booktest.Says(t, refusal(t, checker, approve, second), "account of maker@books.test", "account of checker@books.test")
		booktest.Says(t, refusal(t, maker, approve, second), "The person who made a payout cannot approve it.")

		// An operator may lift it, staff may not.
		id := b.UserID(t, "maker@books.test")
		booktest.RPC(t, boss, "LiftAccountAccess", object{"id": id}).Want(t, http.StatusForbidden)
		ops := operator(t, a, "Olga Price")
		own := object{"tenant": b.Host, "id": id, "openedById": id}
		none := booktest.RPC(t, ops, "LiftAccountAccess", own).Want(t, http.StatusOK)
		if len(none.List("lifted")) != 0 {
			t.Errorf("lifted what somebody else did: %v", none)
		}
		refusal(t, boss, approve, second)
		lifted := booktest.RPC(
			t, ops, "LiftAccountAccess", object{"tenant": b.Host, "id": id, "openedById": b.UserID(t, "boss@books.test")},
		).
			Want(t, http.StatusOK).
			List("lifted")
		if len(lifted) != 2 || lifted[0].Text("kind") != "CREATED" || lifted[1].Text("kind") != "TOKEN_SHOWN" ||
			lifted[1].Text(
				"liftedBy",
			) != "Olga Price" || lifted[1].Text("openedBy") != "boss@books.test" || lifted[1].Text("liftedAt") == "" {
			t.Errorf("lifted %v", lifted)
		}
		ctx, read := b.Inside(t)
		audited := read.AuditEntry.Query().Where(auditentry.Action("user.lift_access"), auditentry.EntityID(id)).OnlyX(ctx)
		rowsAudited := read.AuditEntry.Query().
			Where(auditentry.Action("accountAccess.update"), auditentry.RequestID(audited.RequestID)).
			CountX(ctx)
		if audited.ActorName != "Olga Price" || audited.ActorKind != "OPERATOR" || rowsAudited != 2 {
			t.Errorf("audited as %v, with %d records", audited, rowsAudited)
		}
		if again := booktest.RPC(t, ops, "LiftAccountAccess", object{"tenant": b.Host, "id": id}).Want(t, http.StatusOK); len(
			again.List("lifted"),
		) != 0 {
			t.Errorf("lifted twice: %v", again)
		}
		approval := "mutation { approvePayoutBatch(id: " + second + ") { status } }"
		if got := boss.Graph(t, approval, nil).In(approve).Text("status"); got != "APPROVED" {
			t.Errorf("the batch is %s", got)
		}

		// It ends on the thirtieth day.
		refusal(t, checker, approve, first)
		a.AdvanceAll(21 * 24 * time.Hour) // 29 in all
		checker = b.Staff(t, "checker@books.test", "")
		refusal(t, checker, approve, first)
		a.AdvanceAll(2 * 24 * time.Hour)
		checker = b.Staff(t, "checker@books.test", "")
		got := checker.Graph(t, "mutation { approvePayoutBatch(id: "+first+") { status } }", nil).In(approve).Text("status")
		if got != "APPROVED" {
			t.Errorf("after 31 days the batch is %s", got)
		}
	})
}

func TestWhoRequestsADrawDoesNotApproveIt(t *testing.T) {
	t.Parallel()
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		b, _, line := booktest.OpenLine(t, a)
		const approve = "approveDraw"
		request := `mutation {
			requestDraw(facilityId: ` + line + `, input: {amount: "2000"}) { id requestedByUser { email } } }`
		boss, fay, fred := b.Staff(
			t, "boss@line.test", "admin",
		), b.Staff(
			t, "fay@line.test", "funder",
		), b.Staff(
			t, "fred@line.test", "funder",
		)
		draw := fay.Graph(t, request, nil).In("requestDraw")
		if draw.In("requestedByUser").Text("email") != "fay@line.test" {
			t.Errorf("requested: %v", draw)
		}
		booktest.Says(t, refusal(t, fay, approve, draw.Text("id")), "The person who requested a draw cannot approve it.")
		made := redeem(t, b, "made@line.test", memberBy(t, b, boss, "made@line.test", "funder"))
		mine := boss.Graph(t, request, nil).In("requestDraw").Text("id")
		refusal(t, boss, approve, mine)
		booktest.Says(t, refusal(t, made, approve, mine), "You cannot approve this draw", "boss@line.test")
		approved := fred.Graph(t, "mutation { approveDraw(id: "+mine+`) {
			status requestedByUser { email } approvedByUser { email } } }`, nil).
			In(approve)
		if approved.Text("status") != "APPROVED" || approved.In("requestedByUser").Text("email") != "boss@line.test" ||
			approved.In("approvedByUser").Text("email") != "fred@line.test" {
			t.Errorf("approved: %v", approved)
		}
		// Declining pays nothing out: the requester may decline.
		fay.Graph(t, `mutation { declineDraw(id: `+draw.Text("id")+`, reason: "Not needed") { status } }`, nil)

		// For an API key, it is the member who was shown the key.
		issued := boss.Graph(t, `mutation {
			createApiKey(input: {name: "Bank", kind: LIVE, scopes: ["credit-facilities:write"]}) {
				token apiKey { id } } }`, nil).
			In("createApiKey")
		key := a.As(b.Host, issued.Text("token"))
		byKey := `mutation { requestDraw(facilityId: ` + line + `, input: {amount: "2000"}) { id } }`
		drawn := key.Graph(t, byKey, nil).In("requestDraw").Text("id")
		refusal(t, boss, approve, drawn)
		refusal(t, made, approve, drawn)
		approved = fred.Graph(t, "mutation { approveDraw(id: "+drawn+") { status requestedByUser { email } } }", nil).
			In(approve)
		if approved.Text("status") != "APPROVED" || approved["requestedByUser"] != nil {
			t.Errorf("approved: %v", approved)
		}
		ruth := b.Staff(t, "ruth@line.test", "admin")
		rotated := ruth.Graph(t, "mutation { rotateApiKey(id: "+issued.In("apiKey").Text("id")+") { token } }", nil).
			In("rotateApiKey")
		drawn = a.As(b.Host, rotated.Text("token")).Graph(t, byKey, nil).In("requestDraw").Text("id")
		refusal(t, ruth, approve, drawn)

		// For draws from before the column existed, the audit trail tells.
		old := fay.Graph(t, request, nil).In("requestDraw").Text("id")
		err := a.Store.Write(a.Operator(t, b.Host), func(ctx context.Context, tx *store.Tx) error {
			return tx.LocDraw.Update().Where(locdraw.RequestedByUserIDNotNil()).ClearRequestedByUserID().Exec(ctx)
		})
		if err != nil {
			t.Fatal(err)
		}
		refusal(t, fay, approve, old)
		fred.Graph(t, "mutation { approveDraw(id: "+old+") { status } }", nil)
	})
}

// Members are notified in the bell of what is done to their account.
func TestMembersAreToldWhatIsDoneToTheirAccounts(t *testing.T) {
	t.Parallel()
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		d := booktest.OpenDesk(t, a, "told.test")
		boss := d.Staff(t, "boss@told.test", "admin")
		id := a.Member(t, d.Host, "sam@told.test", "sales")
		if err := a.Store.Write(a.Operator(t, d.Host), func(ctx context.Context, tx *store.Tx) error {
			return tx.User.UpdateOneID(id).SetTotpSecret([]byte("sealed")).Exec(ctx)
		}); err != nil {
			t.Fatal(err)
		}
		boss.Graph(t, fmt.Sprintf(`mutation { resetUserPassword(id: %[1]d) { token } dropUserSecondFactor(id: %[1]d) { id }
			updateUser(id: %[1]d, input: {roleId: %[2]d}) { id } }`, id, d.RoleID(t, "underwriter")), nil)
		boss.Graph(t, fmt.Sprintf("mutation { disableUser(id: %[1]d) { id } enableUser(id: %[1]d) { id } }", id), nil)
		if _, err := a.Users.SetPassword(a.Operator(t, d.Host), id, apptest.Password); err != nil {
			t.Fatal(err)
		}
		notices := d.Staff(t, "sam@told.test", "").
			Graph(t, "{ notifications(first: 20, sort: {field: ID}) { nodes { kind title body } } }", nil).
			In("notifications").
			List("nodes")
		want := []string{"user.reset", "user.second_factor_dropped", "user.role_changed", "user.enabled", "user.password_set"}
		if len(notices) != len(want) {
			t.Fatalf("%d notifications: %v", len(notices), notices)
		}
		for i, n := range notices {
			who := "boss@told.test"
			if want[i] == "user.password_set" {
				who = "An operator"
			}
			if n.Text("kind") != want[i] || !strings.HasPrefix(n.Text("body"), who) {
				t.Errorf("notification %d is %v, want %s by %s", i, n, want[i], who)
			}
		}
		n := boss.Graph(t, "{ notifications(first: 20) { totalCount } }", nil).In("notifications").Int("totalCount")
		if n != 0 {
			t.Errorf("the administrator has %d notifications", n)
		}
		ctx, read := d.Inside(t)
		accesses := read.AccountAccess.Query().Where(accountaccess.UserID(id)).Order(ent.Asc(accountaccess.FieldID)).AllX(ctx)
		var kinds []string
		for _, row := range accesses {
			kinds = append(kinds, string(row.Kind))
		}
		if got := strings.Join(kinds, " "); got != "TOKEN_SHOWN CHANGED CHANGED CHANGED" {
			t.Errorf("accesses: %s", got)
		}
	})
}
