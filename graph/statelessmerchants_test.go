package graph_test

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"paydown/ent/merchant"
	"paydown/internal/apptest"
	"paydown/internal/deal"
	"paydown/internal/store"
)

const stateUnknown = "DISCLOSURE_STATE_UNKNOWN"

// approved overrides soft blocks and gets the deal's funding approved.
func (d *company) approved(t *testing.T) {
	t.Helper()
	boss := d.app.Staff(t, d.Host, "admin")
	for code := range d.blocks(t, "") {
		boss.Graph(
			t, "mutation { overrideFundingBlock(dealId: "+d.deal+", input: {code: "+code+`, reason: "Known to us."}) { id } }`,
			nil,
		)
	}
	d.Patch(t, "/deals/"+d.deal, apptest.Object{"state": "PREFUNDED"})
}

func TestDealWithoutMerchantStateIsNotFunded(t *testing.T) {
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		d := strict(t, a, "stateless.test")
		d.approved(t)
		merchantID := d.Get(t, "/deals/"+d.deal).In("deal").Int("merchantId")
		path := fmt.Sprintf("/merchants/%d", merchantID)
		fund := func() map[string]string {
			return d.Do(t, "PATCH", "/deals/"+d.deal, apptest.Object{"state": "FUNDED"}).Problem(t, 409, "conflict")
		}
		const sentence = "The merchant's state is unknown, so the disclosure requirements cannot be determined; " +
			"set the state of the merchant's principal place of business."
		blocked := func(t *testing.T) {
			t.Helper()
			reported := fund()
			if reported["blocks."+stateUnknown] != sentence || reported["blocks.DISCLOSURE_UNDELIVERED"] != "" {
				t.Errorf("told %v", reported)
			}
			if b := d.blocks(t, "FUNDED")[stateUnknown]; b["hard"] != true || b.Text("problem") == "" || b.Text("remedy") == "" {
				t.Errorf("shown %v", b)
			}
		}
		blocked(t)
		override := "overrideFundingBlock(dealId: " + d.deal +
			", input: {code: " + stateUnknown + `, reason: "Known to us."})`
		(&company{Client: a.Staff(t, d.Host, "admin")}).refused(t, override, "conflict")
		for _, state := range []string{"", " ", "ZZ", "ny"} { // as an import may have left it
			ctx := a.Operator(t, d.Host)
			if err := a.Store.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
				return tx.Merchant.Update().Where(merchant.ID(merchantID)).SetState(state).Exec(ctx)
			}); err != nil {
				t.Fatal(err)
			}
			blocked(t)
		}
		d.Patch(t, path, apptest.Object{"state": "NY"})
		if reported := fund(); reported["blocks."+stateUnknown] != "" || reported["blocks.DISCLOSURE_UNDELIVERED"] == "" {
			t.Errorf("in New York told %v", reported)
		}
		d.Patch(t, path, apptest.Object{"state": "AZ"}) // which has no such law
		if reported := fund(); reported["blocks."+stateUnknown] != "" || reported["blocks.DISCLOSURE_UNDELIVERED"] != "" {
			t.Errorf("in Arizona told %v", reported)
		}
	})
}

// A company whose policy was stored before the block existed has it on with the other disclosure blocks.
func TestEarlierDisclosurePolicyRequiresState(t *testing.T) {
	apptest.Databases(t, func(t *testing.T, a *apptest.App) {
		d := newCompany(t, a, "earlier.test")
		d.Patch(t, "/deals/"+d.deal, apptest.Object{"state": "PREFUNDED"})
		if b := d.blocks(t, "FUNDED"); b[stateUnknown] != nil {
			t.Errorf("integrator shows %v", b)
		}
		earlier := []string{string(deal.DisclosureUndelivered), string(deal.BankUnverified)}
		ctx := a.Operator(t, d.Host)
		if err := a.Store.Write(ctx, func(ctx context.Context, tx *store.Tx) error {
			return tx.FundingPolicy.Create().SetVersion(2).SetProfile(deal.Full).SetBlocks(earlier).Exec(ctx)
		}); err != nil {
			t.Fatal(err)
		}
		reported := d.Do(t, "PATCH", "/deals/"+d.deal, apptest.Object{"state": "FUNDED"}).Problem(t, 409, "conflict")
		if len(reported) != 2 || reported["blocks."+stateUnknown] == "" || reported["blocks.BANK_UNVERIFIED"] == "" {
			t.Errorf("told %v", reported)
		}
		shown, err := a.Company.Policy(ctx)
		if err != nil || !slices.Contains(shown.Blocks, stateUnknown) {
			t.Errorf("shown %v, %v", shown, err)
		}
		all, err := a.Company.Policies(ctx)
		if err != nil || len(all) != 2 || !slices.Contains(all[0].Blocks, stateUnknown) ||
			slices.Contains(all[1].Blocks, stateUnknown) {
			t.Errorf("shown %v, %v", all, err)
		}
		// Saving the current policy changes nothing.
		for _, blocks := range [][]string{earlier, shown.Blocks} {
			if same, err := a.Company.SavePolicy(ctx, blocks); err != nil || same.Version != 2 ||
				!slices.Contains(same.Blocks, stateUnknown) {
				t.Errorf("saved %v, %v", same, err)
			}
		}
	})
}
