import { useNavigate, useSearch } from "@tanstack/react-router";
import { begin } from "../../session/session";
import { Card } from "./Card";
import { SignIn } from "./SignIn";

/** Signs a member in, then returns to the requested page. */
export function Login() {
  const search = useSearch({ from: "/login" });
  const navigate = useNavigate();
  return (
    <SignIn
      frame={Card}
      enter={(session) => {
        begin(session);
        void navigate({ href: search.to ?? "/", replace: true });
      }}
    />
  );
}
