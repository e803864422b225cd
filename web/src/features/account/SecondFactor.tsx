import { Button, Code, Group, Modal, PasswordInput, Stack, Text, TextInput } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { type FormEvent, useState } from "react";
import { Copy } from "../../components/Copy";
import { FormError, fieldError } from "../../components/FormError";
import { SecretDialog } from "../../components/SecretDialog";
import { Section } from "../../components/Section";
import { StateBadge } from "../../components/StateBadge";
import { showSuccess } from "../../gql/mutation";
import { auth, type Enrollment } from "../../session/auth";
import { startSession, useSession } from "../../session/session";
import { useAttempt } from "../../session/useAttempt";
import { QrCode } from "./QrCode";

/** Sets up two-factor authentication: one-time codes from an authenticator app, in addition to the password. */
export function SecondFactor() {
  const session = useSession();
  const on = session.user.secondFactor;
  const [enrollment, setEnrollment] = useState<Enrollment>();
  const [codes, setCodes] = useState<string[]>();
  return (
    <Section
      title="Two-factor authentication"
      actions={<StateBadge state={on ? "ACTIVE" : "OFF"} label={on ? "On" : "Off"} />}
    >
      <Text size="sm" c="dimmed">
        {on
          ? "When you sign in, you enter a code from your authenticator app or a recovery code."
          : "Protect your account with a code from an authenticator app in addition to your password."}
      </Text>
      {enrollment && !on ? (
        <ConfirmEnrollment enrollment={enrollment} onConfirmed={setCodes} cancel={() => setEnrollment(undefined)} />
      ) : (
        <Group>
          {!on && (
            <PasswordButton
              label="Set up two-factor authentication"
              description="Enter your password to continue."
              run={async (password) => setEnrollment(await auth.enroll(password))}
            />
          )}
          {on && (
            <>
              <PasswordButton
                label="New recovery codes"
                description="Your current recovery codes will stop working."
                run={async (password) => setCodes((await auth.renewRecoveryCodes(password)).recoveryCodes)}
              />
              <PasswordButton
                label="Turn off"
                description="You will sign in with your password alone."
                run={async (password) => {
                  await auth.disable(password);
                  setEnrollment(undefined);
                  startSession({ ...session, user: { ...session.user, secondFactor: false } });
                  showSuccess("Two-factor authentication is off.");
                }}
              />
            </>
          )}
        </Group>
      )}
      <SecretDialog
        title="Your recovery codes"
        description="Each code works once, for when you do not have your authenticator."
        secret={codes?.join("\n")}
        close={() => setCodes(undefined)}
      />
    </Section>
  );
}

/** Shows the secret for the authenticator, and asks for a first code. */
function ConfirmEnrollment({
  enrollment: { secret, uri },
  onConfirmed,
  cancel,
}: {
  enrollment: Enrollment;
  onConfirmed: (codes: string[]) => void;
  cancel: () => void;
}) {
  const [code, setCode] = useState("");
  const { busy, problem, attempt } = useAttempt();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void attempt(async () => {
      const { recoveryCodes, ...session } = await auth.confirm(code.trim());
      onConfirmed(recoveryCodes);
      startSession(session);
      showSuccess("Two-factor authentication is on.");
    });
  };
  return (
    <Group align="flex-start" gap="xl">
      <QrCode text={uri} label="QR code for your authenticator" />
      <Stack flex={1} miw={240}>
        <Text size="sm">Scan the code with your authenticator app, or enter this key:</Text>
        <Group gap="xs" wrap="nowrap">
          <Code style={{ overflowWrap: "anywhere" }}>{secret}</Code>
          <Copy value={secret} label="Copy key" />
        </Group>
        <form onSubmit={submit}>
          <Stack>
            <TextInput
              label="Code"
              description="The six digits shown in the app"
              inputMode="numeric"
              autoComplete="one-time-code"
              value={code}
              onChange={(e) => setCode(e.currentTarget.value)}
              error={fieldError(problem, "code")}
              maw={240}
              required
              autoFocus
            />
            <FormError problem={problem} fields={["code"]} />
            <Group>
              <Button type="submit" loading={busy}>
                Turn on
              </Button>
              <Button variant="default" onClick={cancel}>
                Cancel
              </Button>
            </Group>
          </Stack>
        </form>
      </Stack>
    </Group>
  );
}

/** A button whose action requires the password again. */
function PasswordButton({
  label,
  description,
  run,
}: {
  label: string;
  description: string;
  run: (password: string) => Promise<void>;
}) {
  const [opened, dialog] = useDisclosure();
  const [password, setPassword] = useState("");
  const { busy, problem, attempt, reset } = useAttempt();
  const close = () => {
    setPassword("");
    reset();
    dialog.close();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void attempt(async () => {
      await run(password);
      close();
    });
  };
  return (
    <>
      <Button variant="default" onClick={dialog.open}>
        {label}
      </Button>
      <Modal opened={opened} onClose={close} title={label} closeButtonProps={{ "aria-label": "Close" }}>
        <form onSubmit={submit}>
          <Stack>
            <Text size="sm">{description}</Text>
            <PasswordInput
              label="Your password"
              autoComplete="current-password"
              value={password}
              onChange={(e) => setPassword(e.currentTarget.value)}
              error={fieldError(problem, "password")}
              required
              data-autofocus
            />
            <FormError problem={problem} fields={["password"]} />
            <Group justify="flex-end">
              <Button variant="default" onClick={close}>
                Cancel
              </Button>
              <Button type="submit" loading={busy}>
                {label}
              </Button>
            </Group>
          </Stack>
        </form>
      </Modal>
    </>
  );
}
