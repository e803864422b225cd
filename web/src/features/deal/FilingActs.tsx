import { Group } from "@mantine/core";
import { ConfirmButton } from "../../components/ConfirmButton";
import { FormDialog, reasonField } from "../../components/FormDialog";
import { report, tell, useAct } from "../../gql/act";
import {
  type AcceptUccFiling,
  AcceptUccFilingDocument,
  type FiledFragment,
  type RejectUccFiling,
  RejectUccFilingDocument,
  SubmitUccFilingDocument,
} from "../../gql/documents";
import { acceptFields, typeNames } from "./filing";

/** FilingActs are what becomes of a filing next: it is sent, and the office takes it or sends it back. */
export function FilingActs({ of: { id, type, status } }: { of: FiledFragment }) {
  const [submit] = useAct(SubmitUccFilingDocument);
  const [accept] = useAct(AcceptUccFilingDocument);
  const [reject] = useAct(RejectUccFilingDocument);
  const what = typeNames[type].toLowerCase();
  if (status === "DRAFT") {
    return (
      <ConfirmButton
        label="Sent to the office"
        name={`Sent to the office: filing ${id}`}
        size="xs"
        variant="filled"
        consequence={`The ${what} is noted as sent, and then waits for the answer of the office.`}
        run={() => report(submit({ id }), "The filing is sent. Note here what the office says.")}
      />
    );
  }
  if (status !== "SUBMITTED") {
    return null;
  }
  return (
    <Group gap={6} wrap="nowrap">
      <FormDialog
        label="Accepted"
        name={`Accepted: filing ${id}`}
        size="xs"
        fields={acceptFields}
        submitLabel="Accepted"
        save={async (input) => {
          const { problem } = await accept({ id, input: input as AcceptUccFiling });
          if (!problem) {
            tell("The filing is accepted, and has taken effect.");
          }
          return problem;
        }}
      />
      <FormDialog
        label="Sent back"
        name={`Sent back: filing ${id}`}
        size="xs"
        variant="default"
        fields={[{ ...reasonField, label: "Reason, in the office's words" }]}
        submitLabel="Sent back"
        save={async (input) => {
          const { problem } = await reject({ id, input: input as RejectUccFiling });
          if (!problem) {
            tell("The filing was sent back. Draft it anew with what was amiss mended.");
          }
          return problem;
        }}
      />
    </Group>
  );
}
