import { Button, Group, PasswordInput, SimpleGrid, Stack, Text } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { FormError, fieldError } from "../../components/FormError";
import { NewPassword, useNewPassword } from "../../components/NewPassword";
import { Section } from "../../components/Section";
import { showSuccess } from "../../gql/mutation";
import { auth } from "../../session/auth";
import { startSession, useSession } from "../../session/session";
import { useAttempt } from "../../session/useAttempt";

export function Password() {
  const { email } = useSession().user;
  const [current, setCurrent] = useState("");
  const next = useNewPassword();
  const { busy, problem, attempt } = useAttempt();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (!next.matches) {
      return;
    }
    void attempt(async () => {
      startSession(await auth.changePassword(current, next.password));
      setCurrent("");
      next.clear();
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
          {/* Tells password managers which account the password belongs to. */}
          <input value={email} readOnly autoComplete="username" hidden />
          <PasswordInput
            label="Current password"
            autoComplete="current-password"
            value={current}
            onChange={(e) => setCurrent(e.currentTarget.value)}
            error={fieldError(problem, "currentPassword")}
            maw={360}
            required
          />
          <SimpleGrid cols={{ base: 1, sm: 2 }}>
            <NewPassword state={next} error={fieldError(problem, "newPassword")} />
          </SimpleGrid>
          <FormError problem={problem} fields={["currentPassword", "newPassword"]} />
          <Group justify="flex-end">
            <Button type="submit" loading={busy} disabled={next.mismatch}>
              Change password
            </Button>
          </Group>
        </Stack>
      </form>
    </Section>
  );
}
