import { Alert, Button, PasswordInput, Stack, Text, TextInput } from "@mantine/core";
import { useNavigate, useSearch } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { Refused } from "../../components/Refused";
import { auth, type Session } from "../../session/auth";
import { begin } from "../../session/session";
import { useAttempt } from "../../session/useAttempt";
import { Card } from "./Card";

/** Login asks for address and password, then for a second factor where the member has one, and leads back to where they were. */
export function Login() {
  const search = useSearch({ from: "/login" });
  const navigate = useNavigate();
  const [secondStep, setSecondStep] = useState(false);
  const enter = (session: Session) => {
    begin(session);
    void navigate({ href: search.to ?? "/", replace: true });
  };
  if (secondStep) {
    return <SecondFactor enter={enter} back={() => setSecondStep(false)} />;
  }
  return <Password enter={enter} next={() => setSecondStep(true)} expired={search.expired === true} />;
}

type Enter = (session: Session) => void;

function Password({ enter, next, expired }: { enter: Enter; next: () => void; expired: boolean }) {
  const [email, setEmail] = useState("");
  const [password, setPassword] = useState("");
  const { busy, problem, attempt } = useAttempt();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void attempt(async () => {
      const step = await auth.login(email, password);
      if ("user" in step) {
        enter(step);
      } else {
        next();
      }
    });
  };
  return (
    <Card title="Sign in">
      {expired && !problem && <Alert variant="default">Your session has ended. Sign in to go on where you were.</Alert>}
      <form onSubmit={submit}>
        <Stack>
          <TextInput
            label="E-mail"
            type="email"
            autoComplete="username"
            value={email}
            onChange={(e) => setEmail(e.currentTarget.value)}
            required
            data-autofocus
          />
          <PasswordInput
            label="Password"
            autoComplete="current-password"
            value={password}
            onChange={(e) => setPassword(e.currentTarget.value)}
            required
          />
          <Refused problem={problem} />
          <Button type="submit" loading={busy}>
            Sign in
          </Button>
          <Text size="sm" c="dimmed">
            Forgotten your password? Whoever looks after your company's users can send you a link that sets a new one.
          </Text>
        </Stack>
      </form>
    </Card>
  );
}

function SecondFactor({ enter, back }: { enter: Enter; back: () => void }) {
  const [code, setCode] = useState("");
  const { busy, problem, attempt } = useAttempt();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void attempt(async () => enter(await auth.secondFactor(code.trim())));
  };
  return (
    <Card title="Second factor">
      <form onSubmit={submit}>
        <Stack>
          <TextInput
            label="Code"
            description="Of your authenticator, or one of your recovery codes"
            autoComplete="one-time-code"
            value={code}
            onChange={(e) => setCode(e.currentTarget.value)}
            required
            autoFocus
          />
          <Refused problem={problem} />
          <Button type="submit" loading={busy}>
            Continue
          </Button>
          <Button variant="default" onClick={back}>
            Start again
          </Button>
        </Stack>
      </form>
    </Card>
  );
}
