import { Group } from "@mantine/core";
import { ConfirmButton } from "../../components/ConfirmButton";
import { FormDialog, reasonField } from "../../components/FormDialog";
import {
  type AcceptUccFiling,
  AcceptUccFilingDocument,
  type RejectUccFiling,
  RejectUccFilingDocument,
  SubmitUccFilingDocument,
  type UccFilingFieldsFragment,
} from "../../gql/documents";
import { showOutcome, showSuccess, useGraphMutation } from "../../gql/mutation";
import { acceptFields, typeNames } from "./filing";

/** Moves a filing on: submitted, then accepted or rejected by the filing office. */
export function FilingActions({ filing: { id, type, status } }: { filing: UccFilingFieldsFragment }) {
  const [submit] = useGraphMutation(SubmitUccFilingDocument);
  const [accept] = useGraphMutation(AcceptUccFilingDocument);
  const [reject] = useGraphMutation(RejectUccFilingDocument);
  const typeName = typeNames[type].toLowerCase();
  if (status === "DRAFT") {
    return (
      <ConfirmButton
        label="Mark submitted"
        name={`Mark submitted: filing ${id}`}
        size="xs"
        variant="filled"
        consequence={`Marks the ${typeName} as submitted to the filing office.`}
        run={() => showOutcome(submit({ id }), "Filing submitted. Record the response of the filing office here.")}
      />
    );
  }
  if (status !== "SUBMITTED") {
    return null;
  }
  return (
    <Group gap={6} wrap="nowrap">
      <FormDialog
        label="Mark accepted"
        name={`Mark accepted: filing ${id}`}
        size="xs"
        fields={acceptFields}
        submitLabel="Mark accepted"
        save={async (input) => {
          const { problem } = await accept({ id, input: input as AcceptUccFiling });
          if (!problem) {
            showSuccess("Filing accepted and in effect.");
          }
          return problem;
        }}
      />
      <FormDialog
        label="Mark rejected"
        name={`Mark rejected: filing ${id}`}
        size="xs"
        variant="default"
        fields={[{ ...reasonField, label: "Reason given by the filing office" }]}
        submitLabel="Mark rejected"
        save={async (input) => {
          const { problem } = await reject({ id, input: input as RejectUccFiling });
          if (!problem) {
            showSuccess("Filing rejected. Correct it and draft a new one.");
          }
          return problem;
        }}
      />
    </Group>
  );
}
