import { useQuery } from "@tanstack/react-query";
import { FormDialog } from "../../components/FormDialog";
import { words } from "../../components/format";
import type { FormField } from "../../components/RecordForm";
import { tell, useAct } from "../../gql/act";
import { graphQuery } from "../../gql/client";
import {
  CallEndingsDocument,
  type CommunicationChannel,
  type CommunicationDirection,
  LogCommunicationDocument,
  type NewCommunication,
} from "../../gql/documents";

const channels = [
  { value: "CALL", label: "Call" },
  { value: "SMS", label: "Text message" },
] satisfies { value: CommunicationChannel; label: string }[];

const directions = (["OUTBOUND", "INBOUND"] as const satisfies readonly CommunicationDirection[]).map((value) => ({
  value,
  label: words(value),
}));

const begun = { channel: "CALL", direction: "OUTBOUND" };

/** LogContact notes a call or a message, about a deal or with a merchant. */
export function LogContact({ about }: { about: Pick<NewCommunication, "dealId" | "merchantId"> }) {
  const result = useQuery(graphQuery(CallEndingsDocument, {}));
  const [log] = useAct(LogCommunicationDocument);
  const endings = (result.data?.dispositionReasons ?? [])
    .filter((r) => r.isActive)
    .map((r) => ({ value: r.id, label: r.name }));
  const fields: FormField[] = [
    { name: "channel", label: "What", kind: "choice", options: channels, required: true },
    { name: "direction", label: "Which way", kind: "choice", options: directions, required: true },
    { name: "fromAddr", label: "From", hint: "A telephone number" },
    { name: "toAddr", label: "To", hint: "A telephone number" },
    { name: "minutes", label: "Minutes that the call took", kind: "integer" },
    ...(endings.length > 0
      ? [
          {
            name: "dispositionReasonId",
            label: "How the call ended",
            kind: "choice",
            options: endings,
          } satisfies FormField,
        ]
      : []),
    { name: "body", label: "What was said", kind: "long" },
  ];
  return (
    <FormDialog
      label="Log a call"
      title="Log a call or a message"
      size="xs"
      fields={fields}
      initial={begun}
      submitLabel="Log it"
      save={async ({ minutes, ...changes }) => {
        const durationSec = typeof minutes === "number" ? minutes * 60 : undefined;
        const { problem } = await log({ input: { ...begun, ...changes, durationSec, ...about } as NewCommunication });
        if (!problem) {
          tell("It is logged.");
        }
        return problem;
      }}
    />
  );
}
