import { Anchor, Stack, Table, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { CommunicationsTable } from "../../components/CommunicationsTable";
import { ConfirmButton } from "../../components/ConfirmButton";
import { Fields } from "../../components/Fields";
import { FormDialog } from "../../components/FormDialog";
import { day, money } from "../../components/format";
import { Instant } from "../../components/Instant";
import { Loaded } from "../../components/Loaded";
import { Notes } from "../../components/Notes";
import { PageHeader } from "../../components/PageHeader";
import { Section } from "../../components/Section";
import { SmallTable } from "../../components/SmallTable";
import { StateBadge } from "../../components/StateBadge";
import { useSafeNavigate } from "../../components/useSafeNavigate";
import { graphQuery } from "../../gql/client";
import {
  DeleteMerchantDocument,
  MerchantDocument,
  MerchantNotesDocument,
  type MerchantQuery,
  UpdateMerchantDocument,
} from "../../gql/documents";
import { showProblem, showSuccess, useGraphMutation } from "../../gql/mutation";
import { useCan } from "../../session/permissions";
import { productName } from "../deals/states";
import { BankAccounts } from "./BankAccounts";
import { useMerchantFields, useMerchantStatuses } from "./fields";
import { LogCommunication } from "./LogCommunication";
import { MerchantContacts } from "./MerchantContacts";

type MerchantData = NonNullable<MerchantQuery["merchant"]>;

export function Merchant() {
  const { id } = useParams({ strict: false }) as { id: string };
  const result = useQuery(graphQuery(MerchantDocument, { id }));
  const can = useCan();
  return (
    <Loaded noun="merchant" record={result.data?.merchant} error={result.error} retry={result.refetch}>
      {(merchant) => (
        <Stack>
          <PageHeader
            title={merchant.legalName}
            parent={{ to: "/merchants", title: "Merchants" }}
            actions={can("merchants:write") && <Actions merchant={merchant} />}
          />
          <Details merchant={merchant} />
          {merchant.deals && <Deals deals={merchant.deals} />}
          <MerchantContacts merchant={merchant} />
          <BankAccounts merchant={merchant} />
          <MerchantNotes id={merchant.id} />
          {merchant.communications && (
            <Section
              title="Calls and messages"
              actions={can("communications:write") && <LogCommunication about={{ merchantId: merchant.id }} />}
            >
              <CommunicationsTable items={merchant.communications.nodes} total={merchant.communications.totalCount} />
            </Section>
          )}
        </Stack>
      )}
    </Loaded>
  );
}

function MerchantNotes({ id }: { id: string }) {
  const result = useQuery(graphQuery(MerchantNotesDocument, { id }));
  return (
    <Section title="Notes">
      <Loaded noun="notes" record={result.data?.merchant?.staffNotes} error={result.error} retry={result.refetch}>
        {({ nodes, totalCount }) => <Notes about={{ merchantId: id }} notes={nodes} total={totalCount} />}
      </Loaded>
    </Section>
  );
}

function Details({ merchant: m }: { merchant: MerchantData }) {
  const statuses = useMerchantStatuses();
  const address = [m.addressLine1, m.addressLine2, [m.city, m.state, m.postalCode].filter(Boolean).join(" ")];
  return (
    <Section title="Details">
      <Fields
        label="Details"
        items={[
          ["DBA", m.dbaName],
          ["Status", statuses.find((s) => s.id === m.merchantStatusId)?.name],
          ["EIN", m.federalId],
          ["Entity type", m.businessType],
          ["Industry", m.industry],
          ["In business since", day(m.startedOn)],
          ["Annual revenue", money(m.annualRevenue)],
          ["Phone", m.phone],
          ["Email", m.email],
          ["Website", m.website],
          ["Address", address.filter(Boolean).join("\n")],
          ["State of incorporation", m.stateOfIncorporation],
          ["NAICS, SIC", [m.naicsCode, m.sicCode].filter(Boolean).join(", ")],
          ["Home-based", m.homeBased ? "Yes" : "No"],
          ["E-commerce", m.eCommerce ? "Yes" : "No"],
          ["Reference ID", m.referenceId],
          ["External reference", [m.externalSource, m.externalRef].filter(Boolean).join(" ")],
          ["Added", <Instant key="created" at={m.createdAt} />],
        ]}
      />
    </Section>
  );
}

function Deals({ deals }: { deals: NonNullable<MerchantData["deals"]> }) {
  return (
    <Section title={`Deals (${deals.totalCount})`}>
      {deals.nodes.length === 0 ? (
        <Text c="dimmed">No deals yet.</Text>
      ) : (
        <SmallTable
          label="Deals"
          region="Table of deals"
          minWidth={520}
          head={
            <>
              <Table.Th>Deal</Table.Th>
              <Table.Th>Stage</Table.Th>
              <Table.Th>Product</Table.Th>
              <Table.Th ta="right">Funded</Table.Th>
              <Table.Th ta="right">Payback</Table.Th>
              <Table.Th>Funded on</Table.Th>
            </>
          }
        >
          {deals.nodes.map((d) => (
            <Table.Tr key={d.id}>
              <Table.Td>
                <Anchor component={Link} to={`/deals/${d.id}`}>
                  {d.dealNumber}
                </Anchor>
              </Table.Td>
              <Table.Td>
                <StateBadge state={d.state} />
              </Table.Td>
              <Table.Td>{productName(d.productType)}</Table.Td>
              <Table.Td ta="right">{money(d.fundedAmount)}</Table.Td>
              <Table.Td ta="right">{money(d.paybackAmount)}</Table.Td>
              <Table.Td>
                <Instant at={d.fundedAt} />
              </Table.Td>
            </Table.Tr>
          ))}
        </SmallTable>
      )}
    </Section>
  );
}

function Actions({ merchant }: { merchant: MerchantData }) {
  const [update] = useGraphMutation(UpdateMerchantDocument);
  const [remove] = useGraphMutation(DeleteMerchantDocument);
  const fields = useMerchantFields(merchant.merchantStatusId);
  const navigate = useSafeNavigate();
  return (
    <>
      <FormDialog
        label="Edit"
        title="Edit merchant"
        fields={fields}
        initial={merchant}
        submitLabel="Save"
        save={async (input, unchangedSince) => {
          const { problem } = await update({ id: merchant.id, input, unchangedSince });
          if (!problem) {
            showSuccess("Merchant saved.");
          }
          return problem;
        }}
      />
      <ConfirmButton
        label="Delete merchant"
        consequence={`${merchant.legalName} will be deleted. A merchant with deals cannot be deleted.`}
        danger
        run={async () => {
          const { problem } = await remove({ id: merchant.id });
          if (problem) {
            showProblem(problem);
            return;
          }
          showSuccess(`${merchant.legalName} deleted.`);
          await navigate({ to: "/merchants" });
        }}
      />
    </>
  );
}
