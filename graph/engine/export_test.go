package engine

// Plans counts the operations with plans.
func (s *Schema) Plans() int {
	n := 0
	s.plans.kept.Range(func(any, any) bool { n++; return true })
	return n
}
