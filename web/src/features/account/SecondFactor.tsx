import { Button, Code, Group, Modal, PasswordInput, Stack, Text, TextInput } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { type FormEvent, useState } from "react";
import { Copy } from "../../components/Copy";
import { Refused, saidOf } from "../../components/Refused";
import { SecretDialog } from "../../components/SecretDialog";
import { Section } from "../../components/Section";
import { StateBadge } from "../../components/StateBadge";
import { showSuccess } from "../../gql/mutation";
import { auth, type Enrolment } from "../../session/auth";
import { begin, useSession } from "../../session/session";
import { useAttempt } from "../../session/useAttempt";
import { QrCode } from "./QrCode";

/** Sets up two-factor authentication: one-time codes from an authenticator app, in addition to the password. */
export function SecondFactor() {
  const session = useSession();
  const on = session.user.secondFactor;
  const [enrolment, setEnrolment] = useState<Enrolment>();
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
      {enrolment && !on ? (
        <Confirm enrolment={enrolment} confirmed={setCodes} cancel={() => setEnrolment(undefined)} />
      ) : (
        <Group>
          {!on && (
            <WithPassword
              label="Set up two-factor authentication"
              words="Enter your password to continue."
              run={async (password) => setEnrolment(await auth.enrol(password))}
            />
          )}
          {on && (
            <>
              <WithPassword
                label="New recovery codes"
                words="Your current recovery codes will stop working."
                run={async (password) => setCodes((await auth.renewRecoveryCodes(password)).recoveryCodes)}
              />
              <WithPassword
                label="Turn off"
                words="You will sign in with your password alone."
                run={async (password) => {
                  await auth.disable(password);
                  setEnrolment(undefined);
                  begin({ ...session, user: { ...session.user, secondFactor: false } });
                  showSuccess("Two-factor authentication is off.");
                }}
              />
            </>
          )}
        </Group>
      )}
      <SecretDialog
        title="Your recovery codes"
        what="Each code works once, for when you do not have your authenticator."
        secret={codes?.join("\n")}
        close={() => setCodes(undefined)}
      />
    </Section>
  );
}

/** Shows the secret for the authenticator, and asks for a first code. */
function Confirm({
  enrolment: { secret, uri },
  confirmed,
  cancel,
}: {
  enrolment: Enrolment;
  confirmed: (codes: string[]) => void;
  cancel: () => void;
}) {
  const [code, setCode] = useState("");
  const { busy, problem, attempt } = useAttempt();
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void attempt(async () => {
      const { recoveryCodes, ...session } = await auth.confirm(code.trim());
      confirmed(recoveryCodes);
      begin(session);
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
              error={saidOf(problem, "code")}
              maw={240}
              required
              autoFocus
            />
            <Refused problem={problem} fields={["code"]} />
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
function WithPassword({
  label,
  words,
  run,
}: {
  label: string;
  words: string;
  run: (password: string) => Promise<void>;
}) {
  const [opened, dialog] = useDisclosure();
  const [password, setPassword] = useState("");
  const { busy, problem, attempt, forget } = useAttempt();
  const leave = () => {
    setPassword("");
    forget();
    dialog.close();
  };
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void attempt(async () => {
      await run(password);
      leave();
    });
  };
  return (
    <>
      <Button variant="default" onClick={dialog.open}>
        {label}
      </Button>
      <Modal opened={opened} onClose={leave} title={label} closeButtonProps={{ "aria-label": "Close" }}>
        <form onSubmit={submit}>
          <Stack>
            <Text size="sm">{words}</Text>
            <PasswordInput
              label="Your password"
              autoComplete="current-password"
              value={password}
              onChange={(e) => setPassword(e.currentTarget.value)}
              error={saidOf(problem, "password")}
              required
              data-autofocus
            />
            <Refused problem={problem} fields={["password"]} />
            <Group justify="flex-end">
              <Button variant="default" onClick={leave}>
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
