import { Anchor, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { ConfirmButton } from "../../components/ConfirmButton";
import { Fields } from "../../components/Fields";
import { Figures } from "../../components/Figures";
import { FormDialog } from "../../components/FormDialog";
import { money, percent } from "../../components/format";
import { Instant } from "../../components/Instant";
import { Loaded } from "../../components/Loaded";
import { LongText } from "../../components/LongText";
import { PageHeader } from "../../components/PageHeader";
import { Section } from "../../components/Section";
import { StateBadge } from "../../components/StateBadge";
import { useSafeNavigate } from "../../components/useSafeNavigate";
import { graphQuery } from "../../gql/client";
import {
  DeleteSyndicatorDocument,
  SyndicatorDocument,
  type SyndicatorQuery,
  UpdateSyndicatorDocument,
} from "../../gql/documents";
import { showProblem, showSuccess, useGraphMutation } from "../../gql/mutation";
import { useCan } from "../../session/permissions";
import { fee, feeRecognitions, profitAccruals, syndicatorFields } from "./fields";
import { Statement } from "./Statement";
import { SyndicatorParticipations } from "./SyndicatorParticipations";
import { WalletButtons } from "./Wallet";

type SyndicatorData = NonNullable<SyndicatorQuery["syndicator"]>;

/** The page of a syndicator: wallet, terms, participations and statement. */
export function Syndicator() {
  const { id } = useParams({ strict: false }) as { id: string };
  const result = useQuery(graphQuery(SyndicatorDocument, { id }));
  const can = useCan();
  return (
    <Loaded noun="syndicator" record={result.data?.syndicator} error={result.error} retry={result.refetch}>
      {(syndicator) => (
        <Stack>
          <PageHeader
            title={syndicator.name}
            parent={{ to: "/syndicators", title: "Syndicators" }}
            titleExtra={
              <>
                <StateBadge state={syndicator.isActive ? "ACTIVE" : "INACTIVE"} />
                {syndicator.isHouse && <StateBadge state="HOUSE" label="House" />}
              </>
            }
            actions={can("syndicators:write") && <Actions syndicator={syndicator} />}
          />
          {syndicator.balances && syndicator.figures && <Balances syndicator={syndicator} />}
          <SyndicatorParticipations id={id} />
          {can("ledger.read") && <Statement id={id} />}
          <Section title="Terms for new deals">
            <Fields label="Terms for new deals" items={terms(syndicator)} />
          </Section>
          <Section title="Details">
            <Fields
              label="Details"
              items={[
                ["Contact", syndicator.contactName],
                ["Email", syndicator.email],
                ["Phone", syndicator.phone],
                ["Website", websiteLink(syndicator.website)],
                ["Reference ID", syndicator.referenceId],
                ["Payout frequency", syndicator.distributionFrequency],
                ["1099 required", syndicator.requires1099 ? "Yes" : "No"],
                ["Created", <Instant key="created" at={syndicator.createdAt} />],
                ["Last updated", <Instant key="updated" at={syndicator.updatedAt} />],
              ]}
            />
            {syndicator.notes && <LongText label="Notes">{syndicator.notes}</LongText>}
          </Section>
        </Stack>
      )}
    </Loaded>
  );
}

/** Links web addresses only; anything else stays text. */
const websiteLink = (address: string | null) =>
  address && /^https?:\/\//.test(address) ? (
    <Anchor href={address} target="_blank" rel="noreferrer" inherit>
      {address}
    </Anchor>
  ) : (
    address
  );

function Balances({ syndicator: { balances, figures } }: { syndicator: SyndicatorData }) {
  return (
    <Figures
      label="Balances"
      items={[
        ["Wallet balance", money(balances?.wallet)],
        ["Payable", money(balances?.payable)],
        ["Invested", money(figures?.invested)],
        ["Collected", money(figures?.collected)],
        ["Paid out", money(figures?.paidOut)],
        ["Outstanding", money(figures?.outstanding)],
      ]}
    />
  );
}

function terms(s: SyndicatorData): [string, string][] {
  return [
    ["Max per deal", s.maxPerDeal === null ? "No limit" : money(s.maxPerDeal)],
    ["Management fee", fee(s)],
    ["Fees are taken", feeRecognitions[s.cafRecognition]],
    ["Profit recognition", profitAccruals[s.profitAccrual]],
    ["Profit split", s.profitSplitPercent === null ? "100%" : percent(s.profitSplitPercent)],
    ["Shares commission cost", s.frontsCommission ? "Yes" : "No"],
    ["Shares bank fee", s.participatesInBankFee ? "Yes" : "No"],
    ["Loss protection", s.lossProtected ? "Yes" : "No"],
  ];
}

function Actions({ syndicator }: { syndicator: SyndicatorData }) {
  const { id, name } = syndicator;
  const [update] = useGraphMutation(UpdateSyndicatorDocument);
  const [remove] = useGraphMutation(DeleteSyndicatorDocument);
  const navigate = useSafeNavigate();
  return (
    <>
      <WalletButtons id={id} name={name} wallet={syndicator.balances?.wallet} />
      <FormDialog
        label="Edit"
        title="Edit syndicator"
        variant="default"
        fields={syndicatorFields}
        initial={syndicator}
        submitLabel="Save"
        save={async (input) => {
          const { problem } = await update({ id, input });
          if (!problem) {
            showSuccess("Syndicator saved. Existing participations keep their terms.");
          }
          return problem;
        }}
      >
        <Text size="sm" c="dimmed">
          Terms apply to new participations.
        </Text>
      </FormDialog>
      {syndicator.figures?.participations === 0 && (
        <ConfirmButton
          label="Delete"
          name="Delete syndicator"
          consequence={`${name} will be deleted. This cannot be undone. A syndicator with participations or a wallet balance cannot be deleted.`}
          danger
          run={async () => {
            const { problem } = await remove({ id });
            if (problem) {
              showProblem(problem);
              return;
            }
            showSuccess(`${name} deleted.`);
            await navigate({ to: "/syndicators" });
          }}
        />
      )}
    </>
  );
}
