package adminctl

import (
	"maps"
	"slices"

	"github.com/posener/complete"
)

// Predictors are what completes words that the command line alone does not know, by the names that its tags have for them.
func Predictors() map[string]complete.Predictor {
	return map[string]complete.Predictor{
		"file": complete.PredictFiles("*"),
		"context": complete.PredictFunc(func(complete.Args) []string {
			c, err := readConfig()
			if err != nil {
				return nil
			}
			return slices.Sorted(maps.Keys(c.Contexts))
		}),
	}
}
