package service

import "paydown/internal/service/input"

// Some is a given value of an optional field.
func Some[T any](v T) Opt[T] { return input.Some(v) }
