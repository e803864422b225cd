package servicing

import (
	"context"
	"fmt"

	"paydown/ent"
	"paydown/ent/syndicator"
	"paydown/internal/deal"
	"paydown/internal/fault"
	"paydown/internal/ledger"
	"paydown/internal/money"
	"paydown/internal/service/books"
	"paydown/internal/service/parties"
	"paydown/internal/service/unit"
)

// participationFacts checks that the participations can be funded: no more than 100% is sold, no syndicator
// exceeds their limit, and each wallet has enough cash.
func participationFacts(ctx context.Context, t *unit.Tx, d *ent.Deal, f *deal.Facts) error {
	facts, err := books.LedgerFacts(ctx, t, d)
	if err != nil || len(facts.Participants) == 0 {
		return err
	}
	if err := facts.Check(); err != nil {
		f.ParticipationProblems = append(f.ParticipationProblems, fault.As(err).Message)
		return nil
	}
	for _, stake := range facts.Stakes() {
		// Wallets are locked so that deals that fund at the same time do not spend the same cash. Stakes are ordered
		// by id.
		s, err := t.Syndicator.Query().Where(syndicator.ID(stake.SyndicatorID), t.RowLock).Only(ctx)
		if err != nil {
			return err
		}
		have, err := parties.WalletBalance(ctx, t, stake.SyndicatorID)
		if err != nil {
			return err
		}
		f.ParticipationProblems = append(f.ParticipationProblems, stakeProblems(s, stake, have)...)
	}
	return nil
}

// stakeProblems says why a syndicator cannot fund a participation: above the limit, or too little in the
// wallet.
func stakeProblems(s *ent.Syndicator, stake ledger.Stake, have money.Amount) []string {
	var problems []string
	if s.MaxPerDeal != nil && s.MaxPerDeal.Less(stake.Cost) {
		problems = append(problems, fmt.Sprintf("%s would put %s into the deal, above the limit of %s",
			s.Name, stake.Cost, s.MaxPerDeal))
	}
	if have.Less(stake.WalletDebit()) {
		problems = append(problems, fmt.Sprintf("%s has %s in the wallet and needs %s", s.Name, have, stake.WalletDebit()))
	}
	return problems
}
