import { Group, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Fields } from "../../components/Fields";
import { FormDialog } from "../../components/FormDialog";
import { elapsed } from "../../components/format";
import { Instant } from "../../components/Instant";
import type { FormField } from "../../components/RecordForm";
import { Section } from "../../components/Section";
import { StateBadge } from "../../components/StateBadge";
import { graphQuery } from "../../gql/client";
import {
  CreateSubmissionDocument,
  type DealState,
  DealSubmissionsDocument,
  type DealSubmissionsQuery,
  FunderOptionsDocument,
  MoveSubmissionDocument,
  type MoveSubmission as MoveTo,
  type NewSubmission,
  SubmissionStatusOptionsDocument,
} from "../../gql/documents";
import { showSuccess, useGraphMutation } from "../../gql/mutation";
import { useCan } from "../../session/permissions";
import { unfunded } from "../deals/states";
import { DealList } from "./DealList";
import { DraftOffer, Offer } from "./Offer";

type DealWithSubmissions = NonNullable<DealSubmissionsQuery["deal"]>;
export type Submission = NonNullable<DealWithSubmissions["submissions"]>["nodes"][number];

/** Final statuses. Asking the funder again takes a new submission. */
const finalCategories = ["DECLINED", "REJECTED_BY_MERCHANT", "WITHDRAWN"];

/** Lists the funders that have the deal, and their offers. */
export default function Submissions({ deal }: { deal: { id: string; state: DealState } }) {
  const can = useCan();
  const canWrite = can("submissions:write");
  return (
    <Stack>
      {canWrite && can("funders:read") && unfunded.includes(deal.state) && (
        <Group justify="flex-end">
          <SubmitDeal dealId={deal.id} />
        </Group>
      )}
      <DealList
        id={deal.id}
        noun="submissions"
        document={DealSubmissionsDocument}
        list={(data) =>
          data.deal?.submissions && {
            nodes: data.deal.submissions.nodes.map((s) => ({ s, terms: data.deal as DealWithSubmissions })),
            totalCount: data.deal.submissions.totalCount,
          }
        }
        empty="Not submitted to a funder yet."
      >
        {(items) => (
          <Stack>
            {items.map(({ s, terms }) => (
              <SubmissionSection key={s.id} submission={s} terms={terms} canWrite={canWrite} />
            ))}
          </Stack>
        )}
      </DealList>
    </Stack>
  );
}

function SubmissionSection({
  submission: s,
  terms,
  canWrite,
}: {
  submission: Submission;
  terms: DealWithSubmissions;
  canWrite: boolean;
}) {
  const open = canWrite && !finalCategories.includes(s.status?.category ?? "");
  const offers = s.approvals?.nodes ?? [];
  return (
    <Section
      title={s.funder?.name ?? `Submission ${s.id}`}
      actions={
        <Group gap="xs">
          {s.status && <StateBadge state={s.status.category} label={s.status.name} />}
          {open && <ChangeStage submission={s} />}
          {open && unfunded.includes(terms.state) && <DraftOffer submission={s} terms={terms} />}
        </Group>
      }
    >
      <Fields
        label={`Submission to ${s.funder?.name ?? s.id}`}
        items={[
          ["Submitted", <Instant key="submitted" at={s.submittedAt} />],
          ["Time in stage", elapsed(s.statusChangedAt, Date.now())],
          ...(s.declinedAt
            ? [
                ["Declined", <Instant key="declined" at={s.declinedAt} />] as [string, React.ReactNode],
                ["Decline reason", s.declineReason?.name] as [string, React.ReactNode],
              ]
            : []),
        ]}
      />
      {offers.length === 0 && (
        <Text size="sm" c="dimmed">
          No offer yet.
        </Text>
      )}
      {offers.map((offer) => (
        <Offer key={offer.id} offer={offer} canWrite={canWrite} />
      ))}
    </Section>
  );
}

/** Submits the deal to a funder. */
function SubmitDeal({ dealId }: { dealId: string }) {
  const result = useQuery(graphQuery(FunderOptionsDocument, {}));
  const [create] = useGraphMutation(CreateSubmissionDocument);
  const options = (result.data?.funders?.nodes ?? [])
    .filter((f) => f.isActive)
    .map((f) => ({ value: f.id, label: f.name }));
  return (
    <FormDialog
      label="Submit to funder"
      fields={[{ name: "funderId", label: "Funder", kind: "choice", options, required: true }]}
      submitLabel="Submit"
      save={async (changes) => {
        const { data, problem } = await create({ input: { ...changes, dealId } as NewSubmission });
        if (!problem) {
          showSuccess(`Deal submitted to ${data.createSubmission?.funder?.name ?? "the funder"}.`);
        }
        return problem;
      }}
    />
  );
}

/** Moves a submission along the pipeline. */
function ChangeStage({ submission: s }: { submission: Submission }) {
  const result = useQuery(graphQuery(SubmissionStatusOptionsDocument, {}));
  const [move] = useGraphMutation(MoveSubmissionDocument);
  const activeOptions = <Item extends { id: string; name: string; isActive: boolean }>(
    items: Item[] | null | undefined,
  ) => (items ?? []).filter((item) => item.isActive).map((item) => ({ value: item.id, label: item.name }));
  const fields: FormField[] = [
    {
      name: "statusId",
      label: "Stage",
      kind: "choice",
      options: activeOptions(result.data?.submissionStatuses).filter((o) => o.value !== s.status?.id),
      required: true,
    },
    {
      name: "declineReasonId",
      label: "Decline reason",
      kind: "choice",
      options: activeOptions(result.data?.declineReasons),
      hint: "Only for a stage that declines",
    },
  ];
  return (
    <FormDialog
      label="Change stage"
      name={`Change stage of the submission to ${s.funder?.name ?? s.id}`}
      size="xs"
      variant="default"
      fields={fields}
      submitLabel="Change stage"
      save={async (changes) => {
        const { data, problem } = await move({ id: s.id, input: changes as MoveTo });
        if (!problem) {
          showSuccess(`Stage changed to ${data.moveSubmission?.status?.name}.`);
        }
        return problem;
      }}
    />
  );
}
