import { useZone } from "../../components/format";
import { SecretDialog } from "../../components/SecretDialog";

export type Reset = { token: string; expiresAt: string };

/** ResetDialog shows the link by which a member chooses a password, the one time that it is seen. */
export function ResetDialog({ reset, close }: { reset: Reset | undefined; close: () => void }) {
  const zone = useZone();
  return (
    <SecretDialog
      title="A link to choose a password"
      what={`Send it to the member. It works once, until ${zone.instant(reset?.expiresAt)}.`}
      secret={reset && `${window.location.origin}/reset?token=${encodeURIComponent(reset.token)}`}
      close={close}
    />
  );
}
