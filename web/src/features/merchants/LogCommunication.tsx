import { useQuery } from "@tanstack/react-query";
import { FormDialog } from "../../components/FormDialog";
import { humanize } from "../../components/format";
import type { FormField } from "../../components/RecordForm";
import { graphQuery } from "../../gql/client";
import {
  type CommunicationChannel,
  type CommunicationDirection,
  DispositionReasonOptionsDocument,
  LogCommunicationDocument,
  type NewCommunication,
} from "../../gql/documents";
import { showSuccess, useGraphMutation } from "../../gql/mutation";

const channels = [
  { value: "CALL", label: "Call" },
  { value: "SMS", label: "Text message" },
] satisfies { value: CommunicationChannel; label: string }[];

const directions = (["OUTBOUND", "INBOUND"] as const satisfies readonly CommunicationDirection[]).map((value) => ({
  value,
  label: humanize(value),
}));

const defaults = { channel: "CALL", direction: "OUTBOUND" };

/** Logs a call or a message about a deal or with a merchant. */
export function LogCommunication({ about }: { about: Pick<NewCommunication, "dealId" | "merchantId"> }) {
  const result = useQuery(graphQuery(DispositionReasonOptionsDocument, {}));
  const [log] = useGraphMutation(LogCommunicationDocument);
  const outcomes = (result.data?.dispositionReasons ?? [])
    .filter((r) => r.isActive)
    .map((r) => ({ value: r.id, label: r.name }));
  const fields: FormField[] = [
    { name: "channel", label: "Type", kind: "choice", options: channels, required: true },
    { name: "direction", label: "Direction", kind: "choice", options: directions, required: true },
    { name: "fromAddr", label: "From", hint: "Phone number" },
    { name: "toAddr", label: "To", hint: "Phone number" },
    { name: "minutes", label: "Duration (minutes)", kind: "integer" },
    ...(outcomes.length > 0
      ? [
          {
            name: "dispositionReasonId",
            label: "Outcome",
            kind: "choice",
            options: outcomes,
          } satisfies FormField,
        ]
      : []),
    { name: "body", label: "Notes", kind: "long" },
  ];
  return (
    <FormDialog
      label="Log call"
      title="Log call or message"
      size="xs"
      fields={fields}
      initial={defaults}
      submitLabel="Log"
      save={async ({ minutes, ...changes }) => {
        const durationSec = typeof minutes === "number" ? minutes * 60 : undefined;
        const { problem } = await log({
          input: { ...defaults, ...changes, durationSec, ...about } as NewCommunication,
        });
        if (!problem) {
          showSuccess("Logged.");
        }
        return problem;
      }}
    />
  );
}
