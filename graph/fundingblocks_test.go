package graph_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"paydown/internal/apptest"
	"paydown/internal/service"
)

// strict is a company with every funding block on.
func strict(t *testing.T, a *apptest.App, host string) *company {
	t.Helper()
	_, err := a.Tenants.Create(context.Background(), service.NewTenant{Name: "Strict", Host: host, Policy: "full"})
	if err != nil {
		t.Fatal(err)
	}
	d := &company{Client: a.As(host, a.Key(t, host).Token), app: a}
	d.deal, d.submission = d.open(t)
	return d
}

// blocks returns the deal's funding blocks by code; to is "" for the next move.
func (d *company) blocks(t *testing.T, to string) map[string]apptest.Object {
	t.Helper()
	if to != "" {
		to = "(to: " + to + ")"
	}
	found := map[string]apptest.Object{}
	query := "{ deal(id: " + d.deal + ") { fundingBlocks" + to + " { code hard problem remedy overridden } } }"
	for _, b := range d.Graph(t, query, nil).In("deal").List("fundingBlocks") {
		found[b.Text("code")] = b
	}
	return found
}

func TestFundingBlocksAreShown(t *testing.T) {
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		d := strict(t, a, "blocks.test")
		open := d.blocks(t, "")
		if b := open["NO_ACCEPTED_APPROVAL"]; b["hard"] != false || b["overridden"] != false ||
			b.Text("problem") == "" || b.Text("remedy") != "Send one and get it accepted." {
			t.Errorf("%v", open)
		}
		at := d.blocks(t, "FUNDED")
		if at["STIPS_OUTSTANDING"]["hard"] != true || at["CONTRACT_UNSIGNED"] == nil || at["NO_ACCEPTED_APPROVAL"] != nil {
			t.Errorf("%v", at)
		}
		if none := d.blocks(t, "WITHDRAWN"); len(none) != 0 {
			t.Errorf("%v", none)
		}
		// Staff see the same blocks as the error of a refused move.
		reported := d.Do(t, "PATCH", "/deals/"+d.deal, apptest.Object{"state": "PREFUNDED"}).Problem(t, 409, "conflict")
		if len(reported) != len(open) {
			t.Errorf("told %v, shown %v", reported, open)
		}
		for code := range open {
			if reported["blocks."+code] == "" {
				t.Errorf("%s is shown and not told", code)
			}
		}
		moves := d.Graph(t, "{ deal(id: "+d.deal+") { moves } }", nil).In("deal")["moves"]
		if fmt.Sprint(moves) != "[PREFUNDED INCEPTION WITHDRAWN]" {
			t.Errorf("%v", moves)
		}
	})
}

func TestSoftBlockOverrideEndsWhenTermsChange(t *testing.T) {
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		d := strict(t, a, "override.test")
		boss := &company{Client: a.Staff(t, d.Host, "admin"), app: a, deal: d.deal}
		override := func(code string) string {
			return "overrideFundingBlock(dealId: " + d.deal + ", input: {code: " + code + `, reason: "Known to us for years."})`
		}
		d.refused(t, override("NO_ACCEPTED_APPROVAL"), "forbidden")
		(&company{Client: a.Staff(t, d.Host, "underwriter")}).refused(t, override("NO_ACCEPTED_APPROVAL"), "forbidden")
		boss.refused(t, override("CONTRACT_UNSIGNED"), "conflict")
		boss.refused(t, override("MERCHANT_DEFAULTED"), "conflict") // which does not apply
		soft := 0
		for code, b := range d.blocks(t, "") {
			if b["hard"] == true {
				t.Fatalf("%s is hard", code)
			}
			soft++
			given := boss.Graph(t, "mutation { it: "+override(code)+" { id voidedAt } }", nil).In("it")
			again := boss.Graph(t, "mutation { it: "+override(code)+" { id } }", nil).In("it")
			if given["voidedAt"] != nil || again.Text("id") != given.Text("id") {
				t.Errorf("%v %v", given, again)
			}
		}
		for code, b := range d.blocks(t, "") {
			if b["overridden"] != true {
				t.Errorf("%s is not overridden", code)
			}
		}
		// A changed term invalidates all approvals.
		d.Patch(t, "/deals/"+d.deal, apptest.Object{"wireFee": "25.00"})
		list := d.Graph(t, "{ deal(id: "+d.deal+") { fundingOverrides { blockCode reason userId voidedAt } } }", nil).
			In("deal").
			List("fundingOverrides")
		if len(list) != soft || list[0]["voidedAt"] == nil || list[0].Text("userId") == "" ||
			!strings.HasPrefix(list[0].Text("reason"), "Known") {
			t.Errorf("%v", list)
		}
		d.Do(t, "PATCH", "/deals/"+d.deal, apptest.Object{"state": "PREFUNDED"}).Problem(t, 409, "conflict")
		// They stay invalid if the terms are changed back: they were not given for this deal's present terms.
		d.Patch(t, "/deals/"+d.deal, apptest.Object{"wireFee": nil})
		d.Do(t, "PATCH", "/deals/"+d.deal, apptest.Object{"state": "PREFUNDED"}).Problem(t, 409, "conflict")
		for code, b := range d.blocks(t, "") {
			if b["overridden"] != false {
				t.Errorf("%s is overridden", code)
			}
			boss.Graph(t, "mutation { it: "+override(code)+" { id } }", nil)
		}
		// A change of other fields keeps them.
		d.Patch(t, "/deals/"+d.deal, apptest.Object{"referenceId": "File 7"})
		d.Patch(t, "/deals/"+d.deal, apptest.Object{"state": "PREFUNDED"})
	})
}

func TestFundingBlocksAreLimitedToFewDeals(t *testing.T) {
	a := apptest.OnSQLite(t)
	d := newCompany(t, a, "many.test")
	for range 10 {
		d.open(t)
	}
	if answer := d.Ask(t, "{ deals(first: 11) { nodes { fundingBlocks { code } } } }", nil); len(answer.Errors) != 11 {
		t.Errorf("%d errors", len(answer.Errors))
	}
	if answer := d.Ask(t, "{ deals(first: 10) { nodes { fundingBlocks { code } } } }", nil); len(answer.Errors) > 0 {
		t.Errorf("%v", answer.Errors)
	}
}

func TestOnlyAuthorEditsNote(t *testing.T) {
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		d := newCompany(t, a, "notes.test")
		lead := fmt.Sprint(made(t, d.Client, "/leads", "lead", apptest.Object{"businessName": "Harbor Street Bakery"}).ID())
		merchant := fmt.Sprint(d.Get(t, "/deals/"+d.deal).In("deal").Int("merchantId"))
		sales := &company{Client: a.Staff(t, d.Host, "sales")}
		boss := &company{Client: a.Staff(t, d.Host, "admin")}
		for subject, id := range map[string]string{
			"lead": lead, "merchant": merchant, "deal": d.deal, "submission": d.submission,
		} {
			create := "createNote(input: {" + subject + "Id: " + id + `, body: "Called back; wants\nthe second oven."})`
			note := sales.Graph(t, "mutation { it: "+create+" { id authorId isPinned } }", nil).In("it")
			if note.Text("authorId") == "" || note["isPinned"] != false {
				t.Errorf("%v", note)
			}
			pin := "updateNote(id: " + note.Text("id") + ", input: {isPinned: true})"
			d.refused(t, pin, "forbidden") // a key
			sales.Graph(t, "mutation { "+pin+" { id } }", nil)
			boss.Graph(t, "mutation { updateNote(id: "+note.Text("id")+`, input: {body: "Called back."}) { id } }`, nil)
			query := "{ " + subject + "(id: " + id + ") { staffNotes(filter: {isPinned: true}) { totalCount nodes { body } } } }"
			shown := d.Graph(t, query, nil).In(subject).In("staffNotes")
			if shown.Int("totalCount") != 1 || shown.List("nodes")[0].Text("body") != "Called back." {
				t.Errorf("%v", shown)
			}
			sales.Graph(t, "mutation { deleteNote(id: "+note.Text("id")+") }", nil)
			if n := d.Graph(t, query, nil).In(subject).In("staffNotes").Int("totalCount"); n != 0 {
				t.Errorf("%d notes are left", n)
			}
		}
		sales.refused(t, `createNote(input: {body: "About nothing."})`, "validation_error")
		sales.refused(t, "createNote(input: {dealId: "+d.deal+", leadId: "+lead+`, body: "About two."})`, "validation_error")
		sales.refused(t, "createNote(input: {dealId: "+d.deal+`, body: ""})`, "validation_error")
		// Collections staff see no leads, and so no notes about them.
		collections := &company{Client: a.Staff(t, d.Host, "collections")}
		collections.refused(t, "createNote(input: {leadId: "+lead+`, body: "Hm."})`, "forbidden")
		note := sales.Graph(t, "mutation { it: createNote(input: {leadId: "+lead+`, body: "Hm."}) { id } }`, nil).In("it")
		if answer := collections.Ask(t, "mutation { deleteNote(id: "+note.Text("id")+") }", nil); len(answer.Errors) != 1 ||
			answer.Errors[0].In("extensions")["code"] != "not_found" {
			t.Errorf("%v", answer)
		}
	})
}
