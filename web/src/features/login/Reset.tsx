import { Anchor, Button, PasswordInput, Stack, Text } from "@mantine/core";
import { Link, useSearch } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { auth, Problem } from "../../session/auth";
import { Card } from "./Card";

/** Reset sets a new password by the token of a link, and signs nobody in. */
export function Reset() {
  const { token } = useSearch({ from: "/reset" });
  const [password, setPassword] = useState("");
  const [again, setAgain] = useState("");
  const [problem, setProblem] = useState<Problem>();
  const [state, setState] = useState<"open" | "busy" | "done">("open");
  const differs = again !== "" && again !== password;
  const of = (field: string) => problem?.details.find((d) => d.path === field)?.message;

  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (again !== password) {
      return;
    }
    setState("busy");
    setProblem(undefined);
    try {
      await auth.reset(token ?? "", password);
      setState("done");
    } catch (error) {
      if (!(error instanceof Problem)) {
        throw error;
      }
      setProblem(error);
      setState("open");
    }
  };

  if (state === "done" || !token) {
    return (
      <Card title={token ? "Your password is set" : "This link is not complete"}>
        <Text>{token ? "Sign in with it now." : "Open it as it was sent to you, or ask for a new one."}</Text>
        <Anchor component={Link} to="/login">
          Go to the login
        </Anchor>
      </Card>
    );
  }
  const elsewhere = problem && !of("password");
  return (
    <Card title="Set a new password">
      <form onSubmit={submit}>
        <Stack>
          <PasswordInput
            label="New password"
            autoComplete="new-password"
            value={password}
            onChange={(e) => setPassword(e.currentTarget.value)}
            error={of("password")}
            required
          />
          <PasswordInput
            label="The same once more"
            autoComplete="new-password"
            value={again}
            onChange={(e) => setAgain(e.currentTarget.value)}
            error={differs ? "Differs from the first" : undefined}
            required
          />
          <div role="alert">
            {elsewhere && (
              <Text c="var(--mantine-color-error)" size="sm">
                {problem.details[0]?.message
                  ? `${problem.details[0].path} ${problem.details[0].message}`
                  : problem.message}
              </Text>
            )}
          </div>
          <Button type="submit" loading={state === "busy"} disabled={differs}>
            Set password
          </Button>
        </Stack>
      </form>
    </Card>
  );
}
