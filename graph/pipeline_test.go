package graph_test

import (
	"fmt"
	"strings"
	"testing"

	"paydown/ent"
	"paydown/internal/apptest"
)

// steps are the ids of the company's statuses by code.
func (d *company) steps(t *testing.T) map[string]string {
	t.Helper()
	ids := map[string]string{}
	for _, s := range d.Graph(t, "{ submissionStatuses { id code } }", nil).List("submissionStatuses") {
		ids[s.Text("code")] = s.Text("id")
	}
	return ids
}

func (d *company) funder(t *testing.T, name string) string {
	t.Helper()
	return fmt.Sprint(made(t, d.Client, "/funders", "funder", apptest.Object{"name": name}).ID())
}

func TestOneActiveSubmissionPerFunder(t *testing.T) {
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		d := newCompany(t, a, "submit.test")
		funder, steps := d.funder(t, "Northline Capital"), d.steps(t)
		submit := "createSubmission(input: {dealId: " + d.deal + ", funderId: " + funder + "})"
		first := d.Graph(t, "mutation { it: "+submit+" { id submittedAt status { code } } }", nil).In("it")
		if first.Text("submittedAt") == "" || first.In("status").Text("code") != "NEW" {
			t.Errorf("%v", first)
		}
		if messages := d.refused(t, submit, "conflict"); messages["funderId"] == "" {
			t.Errorf("%v", messages)
		}
		move := func(id, step, more string) string {
			return "moveSubmission(id: " + id + ", input: {statusId: " + steps[step] + more + "})"
		}
		id := first.Text("id")
		reason := d.Graph(t, "{ declineReasons { id } }", nil).List("declineReasons")[0].Text("id")
		if messages := d.refused(t, move(id, "DECLINED", ""), "validation_error"); messages["declineReasonId"] == "" {
			t.Errorf("declined without a reason: %v", messages)
		}
		d.refused(t, move(id, "UNDER_REVIEW", ", declineReasonId: "+reason), "validation_error")
		offer := d.sent(t, id, `fundedAmount: "50000.00", factorRate: "1.30"`)
		declined := d.Graph(t, "mutation { it: "+move(id, "DECLINED", ", declineReasonId: "+reason)+
			" { declinedAt statusChangedAt declineReason { id } status { code } } }", nil).In("it")
		if declined.Text("declinedAt") == "" || declined.In("declineReason").Text("id") != reason ||
			declined.In("status").Text("code") != "DECLINED" {
			t.Errorf("%v", declined)
		}
		d.Graph(t, "mutation { "+move(id, "DECLINED", ", declineReasonId: "+reason)+" { id } }", nil)
		if d.stateOf(t, offer) != "VOID" {
			t.Errorf("on a submission that was declined the offer is %s", d.stateOf(t, offer))
		}
		if messages := d.refused(t, move(id, "UNDER_REVIEW", ""), "conflict"); messages["statusId"] == "" {
			t.Errorf("%v", messages)
		}
		d.refused(t, "createApproval(input: {submissionId: "+id+"})", "conflict")
		again := d.Graph(t, "mutation { it: "+submit+" { id } }", nil).In("it")
		if again.Text("id") == id {
			t.Error("the deal cannot be put before the funder again")
		}

		d.Patch(t, "/funders/"+funder, apptest.Object{"isActive": false})
		deal, _ := d.open(t)
		d.refused(t, "createSubmission(input: {dealId: "+deal+", funderId: "+funder+"})", "conflict")
		d.Patch(t, "/deals/"+deal, apptest.Object{"state": "WITHDRAWN"})
		d.refused(t, "createSubmission(input: {dealId: "+deal+", funderId: "+d.funder(t, "Bayview")+"})", "conflict")
	})
}

func TestAssigneeMustBeActive(t *testing.T) {
	a := apptest.OnSQLite(t)
	d := newCompany(t, a, "assign.test")
	dana := a.Member(t, d.Host, "dana@assign.test", "underwriter")
	update := fmt.Sprintf(
		"updateSubmission(id: %s, input: {underwriterId: %d, assignedToId: %d})", d.submission, dana, dana,
	)
	got := d.Graph(t, "mutation { it: "+update+" { underwriterId assignedToId delegatedToId } }", nil).In("it")
	if got.Text("underwriterId") != fmt.Sprint(dana) || got["delegatedToId"] != nil {
		t.Errorf("%v", got)
	}
	if _, err := a.Users.Disable(a.Operator(t, d.Host), dana); err != nil {
		t.Fatal(err)
	}
	if messages := d.refused(t, update, "conflict"); len(messages) != 2 {
		t.Errorf("%v", messages)
	}
}

func TestPipelineTotals(t *testing.T) {
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		d := newCompany(t, a, "board.test")
		other := newCompany(t, a, "other.test")
		deal, second := d.open(t)
		d.Patch(t, "/deals/"+deal, apptest.Object{"fundedAmount": "10000.01"})
		d.Graph(
			t, "mutation { moveSubmission(id: "+second+", input: {statusId: "+d.steps(t)["UNDER_REVIEW"]+"}) { id } }", nil,
		)
		unpriced := made(t, d.Client, "/merchants", "merchant", apptest.Object{"legalName": "Tallow & Wick LLC"})
		made(t, d.Client, "/deals", "deal", apptest.Object{"merchantId": unpriced.ID()})
		board := map[string]string{}
		for _, s := range d.Graph(t, "{ pipeline { count fundedAmount status { code } } }", nil).List("pipeline") {
			board[s.In("status").Text("code")] = fmt.Sprint(s.Int("count"), " ", s.Text("fundedAmount"))
		}
		if board["NEW"] != "2 40000.00" || board["UNDER_REVIEW"] != "1 10000.01" || board["FUNDED"] != "0 0.00" ||
			len(board) != 10 {
			t.Errorf("%v", board)
		}
		if n := other.Graph(t, "{ pipeline { count } }", nil).List("pipeline")[0].Int("count"); n != 1 {
			t.Errorf("another company counts %d", n)
		}
	})
}

func TestCompanyEditsPipeline(t *testing.T) {
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		d := newCompany(t, a, "steps.test")
		boss := &company{Client: a.Staff(t, d.Host, "admin"), app: a}
		a.Staff(t, d.Host, "underwriter").Ask(t,
			`mutation { createDeclineReason(input: {code: "X", name: "X"}) { id } }`, nil).Refused(t, "forbidden")
		add := `createSubmissionStatus(input: {code: "ON_HOLD", name: "On hold", category: OPEN})`
		held := boss.Graph(t, "mutation { it: "+add+" { id code position isActive } }", nil).In("it")
		if held.Int("position") <= 100 || held["isActive"] != true {
			t.Errorf("%v", held)
		}
		if messages := boss.refused(t, add, "conflict"); messages["code"] == "" {
			t.Errorf("%v", messages)
		}
		boss.refused(
			t, `createSubmissionStatus(input: {code: "on hold", name: "On hold", category: OPEN})`, "validation_error",
		)
		var ids []string
		for _, s := range boss.Graph(t, "{ submissionStatuses { id } }", nil).List("submissionStatuses") {
			ids = append([]string{s.Text("id")}, ids...)
		}
		reorder := "mutation { it: reorderSubmissionStatuses(ids: [" + strings.Join(ids, ", ") + "]) { id } }"
		reordered := boss.Graph(t, reorder, nil).
			List("it")
		if got := texts(reordered, "id"); fmt.Sprint(got) != fmt.Sprint(ids) {
			t.Errorf("%v, want %v", got, ids)
		}
		if got := texts(boss.Graph(t, "{ submissionStatuses { id } }", nil).List("submissionStatuses"), "id"); fmt.Sprint(
			got,
		) != fmt.Sprint(
			ids,
		) {
			t.Errorf("%v, want %v", got, ids)
		}
		boss.refused(t, "reorderSubmissionStatuses(ids: ["+ids[0]+"])", "validation_error")
		// New deals start at the first open status, and the last active one cannot be retired.
		_, submission := d.open(t)
		if d.step(t, submission) != "ON_HOLD" {
			t.Errorf("a deal begins at %s", d.step(t, submission))
		}
		steps := boss.steps(t)
		off := func(code string) string {
			return "updateSubmissionStatus(id: " + steps[code] + ", input: {isActive: false})"
		}
		for _, code := range []string{"NEW", "UNDER_REVIEW", "DOCS_REQUIRED"} {
			boss.Graph(t, "mutation { "+off(code)+" { id } }", nil)
		}
		if messages := boss.refused(t, off("ON_HOLD"), "conflict"); messages["isActive"] == "" {
			t.Errorf("%v", messages)
		}
		move := "moveSubmission(id: " + submission + ", input: {statusId: " + steps["UNDER_REVIEW"] + "})"
		if messages := d.refused(t, move, "conflict"); messages["statusId"] == "" {
			t.Errorf("a step that is not in use: %v", messages)
		}
	})
}

func TestStipulationPermissions(t *testing.T) {
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		d := newCompany(t, a, "stips.test")
		under := &company{Client: a.Staff(t, d.Host, "underwriter"), app: a}
		asked := d.Graph(t, "{ deal(id: "+d.deal+") { stipulations { id code waivable status position } } }", nil).
			In("deal").
			List("stipulations")
		byCode := map[string]apptest.Object{}
		for i, s := range asked {
			byCode[s.Text("code")] = s
			if i > 0 && s.Int("position") < asked[i-1].Int("position") {
				t.Errorf("out of order: %v", asked)
			}
		}
		id, waivable := byCode["OWNER_ID"].Text("id"), byCode["LEASE"].Text("id")
		on := func(act, id, more string) string { return act + "Stipulation(id: " + id + more + ")" }
		mutate := func(by *company, call string) apptest.Object {
			t.Helper()
			return by.Graph(t, "mutation { it: "+call+` { id status receivedAt approvedById rejectedReason
				waivedReason waivedById documentId code position } }`, nil).
				In("it")
		}
		because := `, input: {reason: "Not legible."}`
		under.refused(t, on("approve", id, ""), "conflict")
		mutate(d, on("receive", id, ", input: {}"))
		d.refused(t, on("approve", id, ""), "forbidden")
		d.refused(t, on("dismiss", id, because), "forbidden")
		if got := mutate(under, on("reject", id, because)); got.Text("status") != "REJECTED" ||
			got.Text("rejectedReason") != "Not legible." {
			t.Errorf("%v", got)
		}
		if got := mutate(d, on("reopen", id, "")); got.Text("status") != "REQUESTED" || got["rejectedReason"] != nil ||
			got["receivedAt"] != nil {
			t.Errorf("%v", got)
		}
		rows := apptest.NewRows(a, d.Host)
		rows.Parents[ent.TypeMerchant] = d.Get(t, "/deals/"+d.deal).In("deal").Int("merchantId")
		strange := fmt.Sprint(rows.One(t, ent.TypeDocument)) // of nobody's
		receive := on("receive", id, ", input: {documentId: "+strange+"}")
		if messages := d.refused(t, receive, "invalid_reference"); messages["documentId"] == "" {
			t.Errorf("%v", messages)
		}
		mutate(d, on("receive", id, ", input: {}"))
		if got := mutate(under, on("approve", id, "")); got.Text("status") != "APPROVED" || got.Text("approvedById") == "" {
			t.Errorf("%v", got)
		}
		mutate(under, on("approve", id, ""))
		messages := under.refused(t, on("waive", byCode["GUARANTY"].Text("id"), because), "conflict")
		if messages["waivable"] == "" {
			t.Errorf("%v", messages)
		}
		under.refused(t, on("dismiss", byCode["GUARANTY"].Text("id"), because), "conflict")
		if got := mutate(under, on("waive", waivable, because)); got.Text("status") != "WAIVED" ||
			got.Text("waivedById") == "" ||
			got.Text("waivedReason") == "" {
			t.Errorf("%v", got)
		}
		under.refused(t, on("waive", byCode["TAX_RETURN"].Text("id"), `, input: {reason: ""}`), "validation_error")

		ask := "requestStipulation(input: {dealId: " + d.deal + `, title: "Letter of the accountant (2026)"})`
		first, second := mutate(d, ask), mutate(d, ask)
		if first.Text("code") != "LETTER_OF_THE_ACCOUNTANT_2026" ||
			second.Text("code") != "LETTER_OF_THE_ACCOUNTANT_2026_2" ||
			second.Int("position") <= first.Int("position") {
			t.Errorf("%v %v", first, second)
		}
		d.refused(t, "requestStipulation(input: {dealId: "+d.deal+`, title: "Again", code: "OWNER_ID"})`, "conflict")
	})
}

func TestNewDealGetsStipulationTemplates(t *testing.T) {
	a := apptest.OnSQLite(t)
	d := newCompany(t, a, "template.test")
	boss := &company{Client: a.Staff(t, d.Host, "admin"), app: a}
	lease := ""
	const query = "{ stipulationTemplates(product: MCA) { id code product } }"
	for _, row := range d.Graph(t, query, nil).List("stipulationTemplates") {
		if row.Text("product") != "MCA" {
			t.Errorf("%v", row)
		}
		if row.Text("code") == "LEASE" {
			lease = row.Text("id")
		}
	}
	boss.Graph(t, "mutation { updateStipulationTemplate(id: "+lease+`, input: {requirement: NOT_USED}) { id } }`, nil)
	boss.Graph(
		t,
		`mutation { createStipulationTemplate(input: {
			product: MCA, code: "SITE_VISIT", title: "Site visit", requirement: REQUIRED}) { id } }`,
		nil,
	)
	boss.refused(
		t, `createStipulationTemplate(input: {product: MCA, code: "SITE_VISIT", title: "Site visit", requirement: REQUIRED})`,
		"conflict",
	)
	deal, _ := d.open(t)
	codes := texts(
		d.Graph(t, "{ deal(id: "+deal+") { stipulations { code } } }", nil).In("deal").List("stipulations"), "code",
	)
	if all := " " + strings.Join(codes, " ") + " "; !strings.Contains(all, " SITE_VISIT ") ||
		strings.Contains(all, " LEASE ") {
		t.Errorf("%v", codes)
	}
}
