import { useNavigate, useSearch } from "@tanstack/react-router";
import { begin } from "../../session/session";
import { Card } from "./Card";
import { SignIn } from "./SignIn";

/** Login is where somebody signs in, and leads back to where they were. */
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
