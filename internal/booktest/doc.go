// Package booktest is a company's deals and books over the API, for tests: it opens a company, prices, funds and
// services its deals, and checks what they posted.
package booktest
