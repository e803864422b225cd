package rest

import (
	"context"
	"encoding/json"
	"net/http"
	"reflect"

	"github.com/danielgtaylor/huma/v2"

	"paydown/ent"
	"paydown/internal/auth"
	"paydown/internal/service"
)

// maxAnalysisBody is the body limit for analyses, in bytes. It is higher than maxBody because positions and
// flags of many months add up.
const maxAnalysisBody = 8 << 20

// StatementAnalysisView is an analysis of bank statements on the wire.
type StatementAnalysisView struct {
	ID                    int             `json:"id"`
	DealID                int             `json:"dealId"`
	MerchantID            int             `json:"merchantId"`
	Source                string          `json:"source"`
	Version               int             `json:"version" doc:"Counts up per deal; the highest version is current"`
	PeriodStart           *string         `json:"periodStart" format:"date"`
	PeriodEnd             *string         `json:"periodEnd" format:"date"`
	MonthsCovered         *int            `json:"monthsCovered"`
	GrossDeposits         *string         `json:"grossDeposits" doc:"Dollars, two decimals" example:"180000.00"`
	MCADeposits           *string         `json:"mcaDeposits" doc:"Dollars, two decimals" example:"0.00"`
	InternalTransfers     *string         `json:"internalTransfers" doc:"Dollars, two decimals" example:"6000.00"`
	TrueRevenue3M         *string         `json:"trueRevenue3m" doc:"Dollars, two decimals" example:"174000.00"`
	AvgMonthlyTrueRevenue *string         `json:"avgMonthlyTrueRevenue" doc:"Dollars, two decimals" example:"58000.00"`
	EstimatedMCAMonthly   *string         `json:"estimatedMcaMonthly" doc:"Dollars, two decimals" example:"4200.00"`
	AvgDailyBalance       *string         `json:"avgDailyBalance" doc:"Dollars, two decimals" example:"9150.25"`
	PositionCount         *int            `json:"positionCount"`
	NSFCount              *int            `json:"nsfCount"`
	NegativeDays          *int            `json:"negativeDays"`
	Altered               bool            `json:"altered"`
	DepositTypes          json.RawMessage `json:"depositTypes" form:"json,null"`
	Positions             json.RawMessage `json:"positions" form:"json,null"`
	AlteredFlags          json.RawMessage `json:"alteredFlags" form:"json,null"`
	Summary               json.RawMessage `json:"summary" form:"object,null"`
	KeyID                 *int            `json:"keyId" doc:"Key that delivered it"`
	ActorID               *int            `json:"actorId" doc:"User who delivered it"`
	ReceivedAt            string          `json:"receivedAt" format:"date-time"`
}

func statementAnalysisView(s *ent.StatementAnalysis) StatementAnalysisView {
	return StatementAnalysisView{
		ID: s.ID, DealID: s.DealID, MerchantID: s.MerchantID, Source: s.Source, Version: s.Version,
		PeriodStart: optDate(s.PeriodStart), PeriodEnd: optDate(s.PeriodEnd), MonthsCovered: s.MonthsCovered,
		GrossDeposits: optAmount(s.GrossDeposits), MCADeposits: optAmount(s.McaDeposits),
		InternalTransfers: optAmount(s.InternalTransfers), TrueRevenue3M: optAmount(s.TrueRevenue3m),
		AvgMonthlyTrueRevenue: optAmount(s.AvgMonthlyTrueRevenue), EstimatedMCAMonthly: optAmount(s.EstimatedMcaMonthly),
		AvgDailyBalance: optAmount(s.AvgDailyBalance), PositionCount: s.PositionCount, NSFCount: s.NsfCount,
		NegativeDays: s.NegativeDays, Altered: s.Altered, DepositTypes: s.DepositTypes, Positions: s.Positions,
		AlteredFlags: s.AlteredFlags, Summary: s.Summary, KeyID: s.KeyID, ActorID: s.ActorID, ReceivedAt: stamp(s.ReceivedAt),
	}
}

const analysisKey = "statementAnalysis"

func (a *API) analyses() {
	view := reflect.TypeFor[StatementAnalysisView]()
	ofDeal := "/api/v1/deals/{id}/statement-analysis"
	s := a.service.Analyses
	a.handle(huma.Operation{
		Method: http.MethodGet, Path: ofDeal, OperationID: "getStatementAnalysis", Tags: []string{"Statement analyses"},
		Summary: "Get a deal's newest statement analysis", Parameters: []*huma.Param{idParameter("deal")},
		Responses: a.singleResponse(http.StatusOK, analysisKey, view),
	}, auth.Read("statement-analysis"), func(w http.ResponseWriter, r *http.Request) error {
		id, err := idOf(r)
		if err != nil {
			return err
		}
		if err := noParameters(r); err != nil {
			return err
		}
		row, err := s.Latest(r.Context(), id)
		if err != nil {
			return err
		}
		return writeSingle(w, http.StatusOK, analysisKey, statementAnalysisView(row), nil)
	})
	a.handle(huma.Operation{
		Method: http.MethodPost, Path: ofDeal, OperationID: "deliverStatementAnalysisOfDeal",
		Tags: []string{"Statement analyses"}, Summary: "Deliver an analysis of a deal",
		Parameters:  []*huma.Param{idParameter("deal"), idempotencyParameter()},
		RequestBody: a.requestBody("NewStatementAnalysis", reflect.TypeFor[service.AnalysisInput](), service.ForCreate),
		Responses:   a.singleResponse(http.StatusCreated, analysisKey, view),
	}, auth.Write("statement-analysis"), func(w http.ResponseWriter, r *http.Request) error {
		id, err := idOf(r)
		if err != nil {
			return err
		}
		return deliver(a, w, r, func(ctx context.Context, in service.AnalysisInput) (*ent.StatementAnalysis, error) {
			return s.Deliver(ctx, id, in)
		})
	})
	a.handle(huma.Operation{
		Method: http.MethodPost, Path: "/api/v1/statement-analysis", OperationID: "deliverStatementAnalysis",
		Tags: []string{"Statement analyses"}, Summary: "Deliver an analysis, by deal, merchant or EIN",
		Parameters: []*huma.Param{idempotencyParameter()},
		RequestBody: a.requestBody(
			"NewTargetedStatementAnalysis", reflect.TypeFor[service.TargetedAnalysis](), service.ForCreate),
		Responses: a.singleResponse(http.StatusCreated, analysisKey, view),
	}, auth.Write("statement-analysis"), func(w http.ResponseWriter, r *http.Request) error {
		return deliver(a, w, r, s.DeliverTo)
	})
}

// deliver reads an analysis from the body and passes it to store.
func deliver[I any](
	a *API, w http.ResponseWriter, r *http.Request, hand func(context.Context, I) (*ent.StatementAnalysis, error),
) error {
	body, err := bodyOf(w, r, maxAnalysisBody)
	if err != nil {
		return err
	}
	in, err := decode[I](body, service.ForCreate)
	if err != nil {
		return err
	}
	render := func(result any) (int, []byte, error) {
		raw, err := single(analysisKey, statementAnalysisView(result.(*ent.StatementAnalysis)), nil)
		return http.StatusCreated, raw, err
	}
	return a.answerOnce(w, r, body, false, render, func(ctx context.Context) (any, error) { return hand(ctx, in) })
}
