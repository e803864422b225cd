import { useNavigate, useSearch } from "@tanstack/react-router";
import { startSession } from "../../session/session";
import { Card } from "./Card";
import { SignIn } from "./SignIn";

/** Signs a member in, then returns to the requested page. */
export function Login() {
  const search = useSearch({ from: "/login" });
  const navigate = useNavigate();
  return (
    <SignIn
      frame={Card}
      onSignIn={(session) => {
        startSession(session);
        void navigate({ href: search.to ?? "/", replace: true });
      }}
    />
  );
}
