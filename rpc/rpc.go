// Package rpc is the surface for operators and their tools: the services of proto/paydown/admin/v1 over
// Connect, gRPC, gRPC-Web and plain JSON. On the operators' listener they serve every company. On company
// hosts, under Prefix, they serve members of staff with the permission edit-company-settings, for their own
// company.
//
// The proto files define who may call each method, as its access. Interceptors enforce it for unary methods and
// streams alike. Each method only calls the service.
package rpc

import (
	"net/http"
	"strings"
	"sync"
	"time"

	"connectrpc.com/connect"
	"connectrpc.com/grpchealth"
	"connectrpc.com/grpcreflect"

	"paydown/internal/auth"
	"paydown/internal/fault"
	"paydown/internal/middleware"
	"paydown/internal/service"
	"paydown/rpc/adminv1/adminv1connect"
)

// Prefix is the path prefix of calls on company hosts. The operators' listener accepts calls with and without
// it, because gRPC does not support prefixes.
const Prefix = "/rpc/"

// Config configures the surface.
type Config struct {
	middleware.Config
	// Called is called after every authorized call, for metrics, with the procedure, the Connect code or "ok", and
	// the duration. It may be nil.
	Called func(procedure, code string, seconds float64)
}

const (
	// maxMessage limits a request message, in bytes after decompression. maxRead is how much of it is read before
	// it is refused.
	maxMessage = 256 << 10
	maxRead    = 4 * maxMessage
	// callTimeout limits a unary call, streamTimeout a stream.
	callTimeout   = 30 * time.Second
	streamTimeout = time.Hour
)

// Server serves the calls.
type Server struct {
	service     *service.Service
	handlers    map[string]http.Handler // by service: paydown.admin.v1.KeyService
	procedures  map[string]procedure
	refusals    *connect.ErrorWriter
	interceptor *interceptor
	staff       *middleware.Chain
	operators   *middleware.Chain
	inProcess   *middleware.Chain
	streams     streams
	stop        chan struct{}
	stopOnce    sync.Once
}

// procedure is a method as it is routed.
type procedure struct {
	name    string // paydown.admin.v1.KeyService/ListKeys
	streams bool
}

// New returns the surface.
func New(cfg Config) *Server {
	if cfg.Called == nil {
		cfg.Called = func(string, string, float64) {}
	}
	s := &Server{
		service: cfg.Service, handlers: map[string]http.Handler{}, refusals: connect.NewErrorWriter(),
		streams: streams{of: map[streamer]int{}}, stop: make(chan struct{}),
	}
	s.interceptor = &interceptor{service: cfg.Service, log: cfg.Log, called: cfg.Called}
	s.mount()
	s.procedures = procedures()
	s.staff = middleware.New(cfg.Config, auth.RPC, surface{s, middleware.BySession})
	s.operators = middleware.New(cfg.Config, auth.RPC, surface{s, middleware.ByOperator})
	s.inProcess = middleware.New(cfg.Config, auth.CLI, surface{s, middleware.InProcess})
	return s
}

// Staff serves members of staff on company hosts, under Prefix.
func (s *Server) Staff() http.Handler { return s.staff }

// Operators serves operators.
func (s *Server) Operators() http.Handler { return s.operators }

// InProcess serves this program's own commands and treats every caller as the operator. It must not be
// reachable from outside of the process.
func (s *Server) InProcess() http.Handler { return s.inProcess }

// EndStreams ends all streaming calls, and refuses new ones. Clients reconnect to another process.
func (s *Server) EndStreams() { s.stopOnce.Do(func() { close(s.stop) }) }

// options returns the options of every handler.
func (s *Server) options() []connect.HandlerOption {
	return []connect.HandlerOption{
		connect.WithInterceptors(s.interceptor), connect.WithReadMaxBytes(maxRead), gzipped(),
		connect.WithCodec(
			jsonCodec{"json"},
		), connect.WithCodec(jsonCodec{"json; charset=utf-8"}), connect.WithCodec(protoCodec{}),
	}
}

func (s *Server) mount() {
	options := s.options()
	add := func(path string, handler http.Handler) { s.handlers[strings.Trim(path, "/")] = handler }
	add(adminv1connect.NewKeyServiceHandler(keys{s.service}, options...))
	add(adminv1connect.NewWebhookServiceHandler(webhooks{s.service}, options...))
	add(adminv1connect.NewInboundServiceHandler(inbound{s.service}, options...))
	add(adminv1connect.NewTenantServiceHandler(tenants{s.service}, options...))
	add(adminv1connect.NewUserServiceHandler(users{s.service}, options...))
	add(adminv1connect.NewOperationsServiceHandler(operations{s.service}, options...))
	names := services()
	add(grpchealth.NewHandler(health{s.service, names}, options...))
	reflector := grpcreflect.NewStaticReflector(names...)
	add(grpcreflect.NewHandlerV1(reflector, options...))
	add(grpcreflect.NewHandlerV1Alpha(reflector, options...))
}

// surface is the server as one of its gates calls it.
type surface struct {
	*Server
	entry middleware.Entry
}

// Route implements middleware.Surface.
func (s surface) Route(r *http.Request) middleware.Route {
	path := r.URL.Path
	if rest, ok := strings.CutPrefix(path, Prefix); ok {
		path = "/" + rest
	}
	name, _, _ := strings.Cut(strings.TrimPrefix(path, "/"), "/")
	p, known := s.procedures[strings.TrimPrefix(path, "/")]
	handler := s.handlers[name]
	if !known || handler == nil {
		return middleware.Route{Name: middleware.Unmatched, Entry: s.entry, Handler: http.HandlerFunc(s.notFound)}
	}
	return middleware.Route{Name: p.name, Entry: s.entry, Handler: s.serve(handler, path, p)}
}

// serve passes a call to its handler. A streaming call is not bound by the usual timeouts. It ends after
// streamTimeout, or when its caller would no longer be let in.
func (s surface) serve(handler http.Handler, path string, p procedure) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, came *http.Request) {
		r := came.Clone(came.Context())
		r.URL.Path, r.URL.RawPath = path, ""
		if r.ContentLength > maxRead {
			s.Refuse(w, r, errTooLarge)
			return
		}
		if err := checkCoding(w, r); err != nil {
			s.Refuse(w, r, err)
			return
		}
		if p.streams {
			leave, err := s.streams.enter(middleware.FromContext(r.Context()))
			if err != nil {
				s.Refuse(w, r, err)
				return
			}
			defer leave()
			control := http.NewResponseController(w)
			_ = control.SetReadDeadline(time.Time{}) // where there is none to set, there is none
			_ = control.SetWriteDeadline(time.Time{})
			ctx, end := watched(came, control, s.chain(), s.stop)
			defer end()
			r = r.WithContext(ctx)
		}
		handler.ServeHTTP(w, r)
	})
}

func (s surface) chain() *middleware.Chain {
	switch s.entry {
	case middleware.ByOperator:
		return s.operators
	case middleware.InProcess:
		return s.inProcess
	default:
		return s.staff
	}
}

// notFound answers a call of an unknown method.
func (s surface) notFound(w http.ResponseWriter, r *http.Request) {
	s.Refuse(w, r, fault.New(fault.MethodNotAllowed, "No such method."))
}

// Refuse implements middleware.Surface.
func (s surface) Refuse(w http.ResponseWriter, r *http.Request, err error) {
	shown, f := s.interceptor.explained(r.Context(), err)
	middleware.Head(w.Header(), f)
	if !s.refusals.IsSupported(r) {
		middleware.WriteProblem(w, r, s.interceptor.log, f)
		return
	}
	_ = s.refusals.Write(w, r, shown) // a caller who has gone away cannot be told
}
