import { Button, Group, PasswordInput, SimpleGrid, Stack, Text } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { Refused, saidOf } from "../../components/Refused";
import { Section } from "../../components/Section";
import { showSuccess } from "../../gql/mutation";
import { auth } from "../../session/auth";
import { begin, useSession } from "../../session/session";
import { useAttempt } from "../../session/useAttempt";

/** Password changes one's own. */
export function Password() {
  const { email } = useSession().user;
  const [current, setCurrent] = useState("");
  const [next, setNext] = useState("");
  const [again, setAgain] = useState("");
  const { busy, problem, attempt } = useAttempt();
  const differs = again !== "" && again !== next;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (again !== next) {
      return;
    }
    void attempt(async () => {
      begin(await auth.changePassword(current, next));
      setCurrent("");
      setNext("");
      setAgain("");
      showSuccess("Password changed. You have been signed out everywhere else.");
    });
  };
  return (
    <Section title="Password">
      <form onSubmit={submit}>
        <Stack>
          <Text size="sm" c="dimmed">
            Changing your password signs you out everywhere else.
          </Text>
          {/* Password managers want to know whose password it is. */}
          <input value={email} readOnly autoComplete="username" hidden />
          <PasswordInput
            label="Current password"
            autoComplete="current-password"
            value={current}
            onChange={(e) => setCurrent(e.currentTarget.value)}
            error={saidOf(problem, "currentPassword")}
            maw={360}
            required
          />
          <SimpleGrid cols={{ base: 1, sm: 2 }}>
            <PasswordInput
              label="New password"
              autoComplete="new-password"
              value={next}
              onChange={(e) => setNext(e.currentTarget.value)}
              error={saidOf(problem, "newPassword")}
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
          </SimpleGrid>
          <Refused problem={problem} fields={["currentPassword", "newPassword"]} />
          <Group justify="flex-end">
            <Button type="submit" loading={busy} disabled={differs}>
              Change password
            </Button>
          </Group>
        </Stack>
      </form>
    </Section>
  );
}
