package service

import "paydown/internal/service/input"

// Some returns an optional field that is set to v.
func Some[T any](v T) Opt[T] { return input.Some(v) }
