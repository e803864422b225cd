package store

import (
	"context"
)

// PipelineSum is the number of submissions with a status of the pipeline, and the sum of the funded amounts of
// their deals, in cents.
type PipelineSum struct {
	Count int
	Cents int64
}

// PipelineSums sums a tenant's submissions by status id. The map omits statuses without any.
func (s *Store) PipelineSums(ctx context.Context, tenant int) (map[int]PipelineSum, error) {
	rows, err := s.pools.reader.QueryContext(ctx, bind(s.dialect, `SELECT s.status_id, COUNT(*),
		COALESCE(CAST(SUM(CAST(ROUND(d.funded_amount * 100) AS BIGINT)) AS BIGINT), 0)
		FROM submissions s JOIN deals d ON d.id = s.deal_id AND d.tenant_id = s.tenant_id
		WHERE s.tenant_id = $1 GROUP BY s.status_id`), tenant)
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }()
	sums := map[int]PipelineSum{}
	for rows.Next() {
		var step int
		var sum PipelineSum
		if err := rows.Scan(&step, &sum.Count, &sum.Cents); err != nil {
			return nil, err
		}
		sums[step] = sum
	}
	return sums, rows.Err()
}
