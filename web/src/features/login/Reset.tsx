import { Anchor, Button, Stack, Text } from "@mantine/core";
import { Link, useSearch } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { FormError, fieldError } from "../../components/FormError";
import { NewPassword, useNewPassword } from "../../components/NewPassword";
import { auth } from "../../session/auth";
import { useAttempt } from "../../session/useAttempt";
import { Card } from "./Card";

/** Sets a new password with the token of a reset link. It does not sign in. */
export function Reset() {
  const { token } = useSearch({ from: "/reset" });
  const next = useNewPassword();
  const [done, setDone] = useState(false);
  const { busy, problem, attempt } = useAttempt();

  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (next.matches) {
      void attempt(async () => {
        await auth.reset(token ?? "", next.password);
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
          <NewPassword state={next} error={fieldError(problem, "password")} />
          <FormError problem={problem} fields={["password"]} />
          <Button type="submit" loading={busy} disabled={next.mismatch}>
            Set password
          </Button>
        </Stack>
      </form>
    </Card>
  );
}
