package signin

import (
	"net/http"

	"paydown/ent"
	"paydown/internal/auth"
	"paydown/internal/middleware"
	"paydown/internal/service"
)

// sessionView shows who is signed in and their permissions.
type sessionView struct {
	User        userView   `json:"user"`
	Permissions []string   `json:"permissions"`
	Tenant      tenantView `json:"tenant"`
}

type userView struct {
	ID           int      `json:"id"`
	Email        string   `json:"email"`
	Name         string   `json:"name"`
	Role         roleView `json:"role"`
	SecondFactor bool     `json:"secondFactor"`
}

type roleView struct {
	ID   int     `json:"id"`
	Code *string `json:"code"`
	Name string  `json:"name"`
}

type tenantView struct {
	ID       int    `json:"id"`
	Name     string `json:"name"`
	Host     string `json:"host"`
	TimeZone string `json:"timeZone"`
}

// view returns the view of a member, loaded with the role.
func view(member *ent.User, actor *auth.Actor, host *service.TenantEntry) sessionView {
	role := member.Edges.Role
	return sessionView{
		User: userView{
			ID: member.ID, Email: member.Email, Name: member.Name,
			Role:         roleView{ID: role.ID, Code: role.Code, Name: role.Name},
			SecondFactor: member.TotpConfirmedAt != nil,
		},
		Permissions: actor.Permissions.Strings(),
		Tenant:      tenantView{ID: host.ID, Name: host.Name, Host: host.Host, TimeZone: host.TimeZone},
	}
}

// login is the first step of a sign-in. If the member has a second factor, the response says only that a
// second step is needed.
func (h *Handler) login(w http.ResponseWriter, r *http.Request) error {
	given, err := fields(w, r, "email", "password")
	if err != nil {
		return err
	}
	host, from := hostOf(r)
	credentials := service.Credentials{Email: given["email"], Password: given["password"]}
	in, err := h.service.Sessions.SignIn(r.Context(), host, credentials, middleware.SessionToken(r), from)
	if err != nil {
		return err
	}
	begin(w, r, in, host)
	return nil
}

// begin sets the session cookie and responds with who is signed in.
func begin(w http.ResponseWriter, r *http.Request, in *service.SignedIn, host *service.TenantEntry) {
	middleware.SetSession(w, r, in.Token, in.Lasts)
	if in.SecondFactor {
		middleware.WriteJSON(w, http.StatusOK, map[string]bool{"secondFactor": true})
		return
	}
	middleware.WriteJSON(w, http.StatusOK, view(in.Member, in.Actor, host))
}

// secondFactor is the second step: an authenticator code or a recovery code.
func (h *Handler) secondFactor(w http.ResponseWriter, r *http.Request) error {
	given, err := fields(w, r, "code")
	if err != nil {
		return err
	}
	host, from := hostOf(r)
	in, err := h.service.Sessions.SecondFactor(r.Context(), host, middleware.SessionToken(r), given["code"], from)
	if err != nil {
		return err
	}
	begin(w, r, in, host)
	return nil
}

// logout ends the session, if any, and always clears the cookie.
func (h *Handler) logout(w http.ResponseWriter, r *http.Request) error {
	host, from := hostOf(r)
	if err := h.service.Sessions.SignOut(r.Context(), host, middleware.SessionToken(r), from); err != nil {
		return err
	}
	middleware.EndSession(w, r)
	middleware.WriteJSON(w, http.StatusOK, map[string]bool{"signedOut": true})
	return nil
}

// session responds with who is signed in.
func (h *Handler) session(w http.ResponseWriter, r *http.Request) error {
	actor := auth.From(r.Context())
	member, err := h.service.Users.Get(r.Context(), actor.ID)
	if err != nil {
		return err
	}
	host, _ := hostOf(r)
	middleware.WriteJSON(w, http.StatusOK, view(member, actor, host))
	return nil
}

// password changes the caller's own password.
func (h *Handler) password(w http.ResponseWriter, r *http.Request) error {
	given, err := fields(w, r, "currentPassword", "newPassword")
	if err != nil {
		return err
	}
	host, from := hostOf(r)
	in, err := h.service.Sessions.ChangePassword(r.Context(), host, given["currentPassword"], given["newPassword"], from)
	if err != nil {
		return err
	}
	begin(w, r, in, host)
	return nil
}

// reset sets the password of the member that a reset's token belongs to. It does not sign the member in.
func (h *Handler) reset(w http.ResponseWriter, r *http.Request) error {
	given, err := fields(w, r, "token", "password")
	if err != nil {
		return err
	}
	host, from := hostOf(r)
	if err := h.service.Sessions.ResetPassword(r.Context(), host, given["token"], given["password"], from); err != nil {
		return err
	}
	middleware.WriteJSON(w, http.StatusOK, map[string]bool{"reset": true})
	return nil
}

// enrol responds with the setup data of an authenticator, only once.
func (h *Handler) enrol(w http.ResponseWriter, r *http.Request) error {
	given, err := fields(w, r, "password")
	if err != nil {
		return err
	}
	host, from := hostOf(r)
	enrolment, err := h.service.Sessions.EnrolSecondFactor(r.Context(), host, given["password"], from)
	if err != nil {
		return err
	}
	middleware.WriteJSON(w, http.StatusOK, map[string]string{"secret": enrolment.Secret, "uri": enrolment.URI})
	return nil
}

// confirm activates the authenticator and responds with the recovery codes, only once.
func (h *Handler) confirm(w http.ResponseWriter, r *http.Request) error {
	given, err := fields(w, r, "code")
	if err != nil {
		return err
	}
	host, from := hostOf(r)
	in, err := h.service.Sessions.ConfirmSecondFactor(r.Context(), given["code"], from)
	if err != nil {
		return err
	}
	middleware.SetSession(w, r, in.Token, in.Lasts)
	middleware.WriteJSON(w, http.StatusOK, struct {
		sessionView
		RecoveryCodes []string `json:"recoveryCodes"`
	}{view(in.Member, in.Actor, host), in.RecoveryCodes})
	return nil
}

// disable removes the caller's second factor.
func (h *Handler) disable(w http.ResponseWriter, r *http.Request) error {
	given, err := fields(w, r, "password")
	if err != nil {
		return err
	}
	host, from := hostOf(r)
	if err := h.service.Sessions.DisableSecondFactor(r.Context(), host, given["password"], from); err != nil {
		return err
	}
	middleware.WriteJSON(w, http.StatusOK, map[string]bool{"secondFactor": false})
	return nil
}

// recoveryCodes replaces the recovery codes and responds with the new ones, only once.
func (h *Handler) recoveryCodes(w http.ResponseWriter, r *http.Request) error {
	given, err := fields(w, r, "password")
	if err != nil {
		return err
	}
	host, from := hostOf(r)
	codes, err := h.service.Sessions.RenewRecoveryCodes(r.Context(), host, given["password"], from)
	if err != nil {
		return err
	}
	middleware.WriteJSON(w, http.StatusOK, map[string][]string{"recoveryCodes": codes})
	return nil
}
