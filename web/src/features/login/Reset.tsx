import { Anchor, Button, PasswordInput, Stack, Text } from "@mantine/core";
import { Link, useSearch } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { Refused, saidOf } from "../../components/Refused";
import { auth } from "../../session/auth";
import { useAttempt } from "../../session/useAttempt";
import { Card } from "./Card";

/** Reset sets a new password by the token of a link, and signs nobody in. */
export function Reset() {
  const { token } = useSearch({ from: "/reset" });
  const [password, setPassword] = useState("");
  const [again, setAgain] = useState("");
  const [done, setDone] = useState(false);
  const { busy, problem, attempt } = useAttempt();
  const differs = again !== "" && again !== password;

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (again === password) {
      void attempt(async () => {
        await auth.reset(token ?? "", password);
        setDone(true);
      });
    }
  };

  if (done || !token) {
    return (
      <Card title={token ? "Your password is set" : "This link is incomplete"}>
        <Text>{token ? "You can sign in now." : "Open the link from your email, or ask for a new one."}</Text>
        <Anchor component={Link} to="/login">
          Go to sign in
        </Anchor>
      </Card>
    );
  }
  return (
    <Card title="Set a new password">
      <form onSubmit={submit}>
        <Stack>
          <PasswordInput
            label="New password"
            autoComplete="new-password"
            value={password}
            onChange={(e) => setPassword(e.currentTarget.value)}
            error={saidOf(problem, "password")}
            required
          />
          <PasswordInput
            label="Confirm password"
            autoComplete="new-password"
            value={again}
            onChange={(e) => setAgain(e.currentTarget.value)}
            error={differs ? "Passwords do not match" : undefined}
            required
          />
          <Refused problem={problem} fields={["password"]} />
          <Button type="submit" loading={busy} disabled={differs}>
            Set password
          </Button>
        </Stack>
      </form>
    </Card>
  );
}
