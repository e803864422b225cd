// The client that a generator makes from the description, in a module of its own: it needs no more of the product than
// an integrator's program does, and the product needs nothing of it.
module paydown/internal/apicheck/goclient

go 1.26.0

require (
	github.com/apapsch/go-jsonmerge/v2 v2.0.0 // indirect
	github.com/google/uuid v1.6.0 // indirect
	github.com/oapi-codegen/nullable v1.1.0
	github.com/oapi-codegen/runtime v1.8.0
)
