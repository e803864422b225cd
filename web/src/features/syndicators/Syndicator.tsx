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
import { PageHeader } from "../../components/PageHeader";
import { Section } from "../../components/Section";
import { StateBadge } from "../../components/StateBadge";
import { useGo } from "../../components/useGo";
import { Words } from "../../components/Words";
import { complain, tell, useAct } from "../../gql/act";
import { graphQuery } from "../../gql/client";
import {
  DeleteSyndicatorDocument,
  SyndicatorDocument,
  type SyndicatorQuery,
  UpdateSyndicatorDocument,
} from "../../gql/documents";
import { useCan } from "../../session/permissions";
import { accruals, fee, recognitions, syndicatorFields } from "./fields";
import { Parts } from "./Parts";
import { Statement } from "./Statement";
import { WalletButtons } from "./Wallet";

type Shown = NonNullable<SyndicatorQuery["syndicator"]>;

/** Syndicator is the page of somebody who takes parts of deals: the wallet, the terms, the parts, and every booking. */
export function Syndicator() {
  const { id } = useParams({ strict: false }) as { id: string };
  const result = useQuery(graphQuery(SyndicatorDocument, { id }));
  const can = useCan();
  return (
    <Loaded what="syndicator" record={result.data?.syndicator} error={result.error} retry={result.refetch}>
      {(syndicator) => (
        <Stack>
          <PageHeader
            title={syndicator.name}
            parent={{ to: "/syndicators", title: "Syndicators" }}
            beside={
              <>
                <StateBadge state={syndicator.isActive ? "ACTIVE" : "INACTIVE"} />
                {syndicator.isHouse && <StateBadge state="HOUSE" label="The house" />}
              </>
            }
            actions={can("syndicators:write") && <Actions syndicator={syndicator} />}
          />
          {syndicator.balances && syndicator.figures && <Sums of={syndicator} />}
          <Parts id={id} />
          {can("ledger.read") && <Statement id={id} />}
          <Section title="Terms for new deals">
            <Fields label="Terms for new deals" of={terms(syndicator)} />
          </Section>
          <Section title="Details">
            <Fields
              label="Details"
              of={[
                ["Person to speak to", syndicator.contactName],
                ["E-mail", syndicator.email],
                ["Phone", syndicator.phone],
                ["Web site", web(syndicator.website)],
                ["Own reference", syndicator.referenceId],
                ["Is paid out", syndicator.distributionFrequency],
                ["Gets a 1099", syndicator.requires1099 ? "Yes" : "No"],
                ["Entered", <Instant key="created" at={syndicator.createdAt} />],
                ["Last change", <Instant key="updated" at={syndicator.updatedAt} />],
              ]}
            />
            {syndicator.notes && <Words label="Notes">{syndicator.notes}</Words>}
          </Section>
        </Stack>
      )}
    </Loaded>
  );
}

/** web is a link only where the address is one of the web: anything else stays text. */
const web = (address: string | null) =>
  address && /^https?:\/\//.test(address) ? (
    <Anchor href={address} target="_blank" rel="noreferrer" inherit>
      {address}
    </Anchor>
  ) : (
    address
  );

function Sums({ of: { balances, figures } }: { of: Shown }) {
  return (
    <Figures
      label="Money"
      of={[
        ["In the wallet", money(balances?.wallet)],
        ["Owed", money(balances?.payable)],
        ["Invested", money(figures?.invested)],
        ["Collected", money(figures?.collected)],
        ["Paid out", money(figures?.paidOut)],
        ["Still to come", money(figures?.outstanding)],
      ]}
    />
  );
}

function terms(s: Shown): [string, string][] {
  return [
    ["Most in one deal", s.maxPerDeal === null ? "No limit" : money(s.maxPerDeal)],
    ["Management fee", fee(s)],
    ["Charges are taken", recognitions[s.cafRecognition]],
    ["Profit is", accruals[s.profitAccrual]],
    ["Syndicator keeps of the profit", s.profitSplitPercent === null ? "All of it" : percent(s.profitSplitPercent)],
    ["Bears a share of the commission", s.frontsCommission ? "Yes" : "No"],
    ["Takes part in the bank fee", s.participatesInBankFee ? "Yes" : "No"],
    ["The house bears its losses", s.lossProtected ? "Yes" : "No"],
  ];
}

function Actions({ syndicator }: { syndicator: Shown }) {
  const { id, name } = syndicator;
  const [update] = useAct(UpdateSyndicatorDocument);
  const [remove] = useAct(DeleteSyndicatorDocument);
  const navigate = useGo();
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
            tell("The syndicator is saved. Parts of deals that there are keep their terms.");
          }
          return problem;
        }}
      >
        <Text size="sm" c="dimmed">
          Terms hold for parts of deals that are given from now on.
        </Text>
      </FormDialog>
      {syndicator.figures?.participations === 0 && (
        <ConfirmButton
          label="Delete"
          name="Delete syndicator"
          consequence={`${name} will be gone. This cannot be taken back; who took part in deals or has a wallet stays.`}
          danger
          run={async () => {
            const { problem } = await remove({ id });
            if (problem) {
              complain(problem);
              return;
            }
            tell(`${name} is deleted.`);
            await navigate({ to: "/syndicators" });
          }}
        />
      )}
    </>
  );
}
