import { Button, PasswordInput, Stack, Text, TextInput } from "@mantine/core";
import { type ComponentType, type FormEvent, type ReactNode, useState } from "react";
import { Refused } from "../../components/Refused";
import { auth, type Session } from "../../session/auth";
import { useAttempt } from "../../session/useAttempt";

type Frame = ComponentType<{ title: string; children: ReactNode }>;
type Enter = (session: Session) => void;

/** Asks for email and password, then for the second factor if the member has one. */
export function SignIn({ frame, email = "", enter }: { frame: Frame; email?: string; enter: Enter }) {
  const [secondStep, setSecondStep] = useState(false);
  return secondStep ? (
    <SecondFactor frame={frame} enter={enter} back={() => setSecondStep(false)} />
  ) : (
    <Password frame={frame} begin={email} enter={enter} next={() => setSecondStep(true)} />
  );
}

type Step = { frame: Frame; enter: Enter };

function Password({ frame: Frame, begin, enter, next }: Step & { begin: string; next: () => void }) {
  const [email, setEmail] = useState(begin);
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
            data-autofocus={begin === "" || undefined}
          />
          <PasswordInput
            label="Password"
            autoComplete="current-password"
            value={password}
            onChange={(e) => setPassword(e.currentTarget.value)}
            required
            data-autofocus={begin !== "" || undefined}
          />
          <Refused problem={problem} />
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

function SecondFactor({ frame: Frame, enter, back }: Step & { back: () => void }) {
  const [code, setCode] = useState("");
  const { busy, problem, attempt } = useAttempt();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void attempt(async () => enter(await auth.secondFactor(code.trim())));
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
          <Refused problem={problem} />
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
