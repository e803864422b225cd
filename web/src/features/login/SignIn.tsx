import { Button, PasswordInput, Stack, Text, TextInput } from "@mantine/core";
import { type ComponentType, type FormEvent, type ReactNode, useState } from "react";
import { FormError } from "../../components/FormError";
import { auth, type Session } from "../../session/auth";
import { useAttempt } from "../../session/useAttempt";

type Frame = ComponentType<{ title: string; children: ReactNode }>;
type OnSignIn = (session: Session) => void;

/** Asks for email and password, then for the second factor if the member has one. */
export function SignIn({ frame, email = "", onSignIn }: { frame: Frame; email?: string; onSignIn: OnSignIn }) {
  const [secondStep, setSecondStep] = useState(false);
  return secondStep ? (
    <SecondFactor frame={frame} onSignIn={onSignIn} back={() => setSecondStep(false)} />
  ) : (
    <Password frame={frame} initialEmail={email} onSignIn={onSignIn} next={() => setSecondStep(true)} />
  );
}

type Step = { frame: Frame; onSignIn: OnSignIn };

function Password({ frame: Frame, initialEmail, onSignIn, next }: Step & { initialEmail: string; next: () => void }) {
  const [email, setEmail] = useState(initialEmail);
  const [password, setPassword] = useState("");
  const { busy, problem, attempt } = useAttempt();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void attempt(async () => {
      const step = await auth.login(email, password);
      if ("user" in step) {
        onSignIn(step);
      } else {
        next();
      }
    });
  };
  return (
    <Frame title="Sign in">
      <form onSubmit={submit}>
        <Stack>
          <TextInput
            label="Email"
            type="email"
            autoComplete="username"
            value={email}
            onChange={(e) => setEmail(e.currentTarget.value)}
            required
            data-autofocus={initialEmail === "" || undefined}
          />
          <PasswordInput
            label="Password"
            autoComplete="current-password"
            value={password}
            onChange={(e) => setPassword(e.currentTarget.value)}
            required
            data-autofocus={initialEmail !== "" || undefined}
          />
          <FormError problem={problem} />
          <Button type="submit" loading={busy}>
            Sign in
          </Button>
          <Text size="sm" c="dimmed">
            Forgot your password? Ask your administrator for a link to set a new one.
          </Text>
        </Stack>
      </form>
    </Frame>
  );
}

function SecondFactor({ frame: Frame, onSignIn, back }: Step & { back: () => void }) {
  const [code, setCode] = useState("");
  const { busy, problem, attempt } = useAttempt();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void attempt(async () => onSignIn(await auth.secondFactor(code.trim())));
  };
  return (
    <Frame title="Two-factor authentication">
      <form onSubmit={submit}>
        <Stack>
          <TextInput
            label="Code"
            description="From your authenticator app, or a recovery code"
            autoComplete="one-time-code"
            value={code}
            onChange={(e) => setCode(e.currentTarget.value)}
            required
            autoFocus
          />
          <FormError problem={problem} />
          <Button type="submit" loading={busy}>
            Continue
          </Button>
          <Button variant="default" onClick={back}>
            Start over
          </Button>
        </Stack>
      </form>
    </Frame>
  );
}
