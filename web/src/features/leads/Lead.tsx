import { Anchor, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { ConfirmButton } from "../../components/ConfirmButton";
import { Fields } from "../../components/Fields";
import { FormDialog } from "../../components/FormDialog";
import { money, useZone } from "../../components/format";
import { Instant } from "../../components/Instant";
import { Loaded } from "../../components/Loaded";
import { Notes } from "../../components/Notes";
import { PageHeader } from "../../components/PageHeader";
import { Section } from "../../components/Section";
import { StateBadge } from "../../components/StateBadge";
import { useSafeNavigate } from "../../components/useSafeNavigate";
import { graphQuery } from "../../gql/client";
import {
  DeleteLeadDocument,
  LeadDocument,
  LeadNotesDocument,
  type LeadQuery,
  UpdateLeadDocument,
} from "../../gql/documents";
import { showProblem, showSuccess, useGraphMutation } from "../../gql/mutation";
import { useCan } from "../../session/permissions";
import { Convert } from "./Convert";
import { useColleagues, useLeadFields } from "./fields";
import classes from "./Lead.module.css";

type LeadData = NonNullable<LeadQuery["lead"]>;

export function Lead() {
  const { id } = useParams({ strict: false }) as { id: string };
  const result = useQuery(graphQuery(LeadDocument, { id }));
  const can = useCan();
  const colleagues = useColleagues();
  return (
    <Loaded noun="lead" record={result.data?.lead} error={result.error} retry={result.refetch}>
      {(lead) => (
        <Stack>
          <PageHeader
            title={lead.businessName}
            parent={{ to: "/leads", title: "Leads" }}
            titleExtra={<StateBadge state={lead.status} />}
            actions={can("leads:write") && <Actions lead={lead} />}
          />
          <Section title="Details">
            <Fields
              label="Details"
              items={[
                ["DBA", lead.dbaName],
                ["Contact", lead.contactName],
                ["Phone", lead.phone],
                ["Email", lead.email],
                ["Requested amount", money(lead.requestedAmount)],
                ["Source", lead.source],
                [
                  "Converted to",
                  lead.merchant && (
                    <Anchor key="merchant" component={Link} to={`/merchants/${lead.merchant.id}`}>
                      {lead.merchant.legalName}
                    </Anchor>
                  ),
                ],
                ["Owner", lead.ownerId && (colleagues.get(lead.ownerId) ?? "A former team member")],
                ["Next action", <Instant key="next" at={lead.nextActionAt} date />],
                ["Created", <Instant key="created" at={lead.createdAt} />],
                ["Last updated", <Instant key="updated" at={lead.updatedAt} />],
              ]}
            />
          </Section>
          <Section title="Notes">
            {lead.notes && (
              <Text size="sm" className={classes.known}>
                {lead.notes}
              </Text>
            )}
            <LeadNotes id={id} />
          </Section>
        </Stack>
      )}
    </Loaded>
  );
}

function Actions({ lead }: { lead: LeadData }) {
  const [remove] = useGraphMutation(DeleteLeadDocument);
  const navigate = useSafeNavigate();
  const can = useCan();
  return (
    <>
      {!lead.merchant && can("merchants:write") && <Convert lead={lead} />}
      <Edit lead={lead} />
      <ConfirmButton
        label="Delete lead"
        consequence={`${lead.businessName} and its notes will be deleted. This cannot be undone.`}
        danger
        run={async () => {
          const { problem } = await remove({ id: lead.id });
          if (problem) {
            showProblem(problem);
            return;
          }
          showSuccess(`${lead.businessName} deleted.`);
          await navigate({ to: "/leads" });
        }}
      />
    </>
  );
}

function Edit({ lead }: { lead: LeadData }) {
  const [update] = useGraphMutation(UpdateLeadDocument);
  const fields = useLeadFields(lead.ownerId);
  const zone = useZone();
  return (
    <FormDialog
      label="Edit"
      title="Edit lead"
      fields={fields}
      initial={{ ...lead, nextActionAt: lead.nextActionAt && zone.dayOf(lead.nextActionAt) }}
      submitLabel="Save"
      save={async (input, unchangedSince) => {
        const { problem } = await update({ id: lead.id, input, unchangedSince });
        if (!problem) {
          showSuccess("Lead saved.");
        }
        return problem;
      }}
    />
  );
}

function LeadNotes({ id }: { id: string }) {
  const result = useQuery(graphQuery(LeadNotesDocument, { id }));
  return (
    <Loaded noun="notes" record={result.data?.lead?.staffNotes} error={result.error} retry={result.refetch}>
      {({ nodes, totalCount }) => <Notes about={{ leadId: id }} notes={nodes} total={totalCount} />}
    </Loaded>
  );
}
