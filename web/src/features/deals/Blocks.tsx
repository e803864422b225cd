import { Anchor, Button, Card, Group, Stack, Text, TextInput } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { type FormEvent, useState } from "react";
import { humanize } from "../../components/format";
import { Loaded } from "../../components/Loaded";
import { StateBadge } from "../../components/StateBadge";
import { graphQuery } from "../../gql/client";
import {
  type DealBlockCode,
  type DealState,
  FundingBlocksDocument,
  type FundingBlocksQuery,
  OverrideFundingBlockDocument,
} from "../../gql/documents";
import { showSuccess, useGraphMutation } from "../../gql/mutation";
import type { Problem } from "../../session/auth";
import { useCan } from "../../session/permissions";

type Target = { tab?: string; merchant?: true; title: string };

const terms: Target = { title: "Go to terms" };
const offers: Target = { tab: "submissions", title: "Go to offers" };
const statements: Target = { tab: "underwriting", title: "Go to underwriting" };
const disclosures: Target = { tab: "disclosures", title: "Go to disclosures" };
const merchant: Target = { merchant: true, title: "Go to merchant" };

/** Where to clear each block: a tab of the deal, or its merchant. null: somewhere else. */
const targets: Record<DealBlockCode, Target | null> = {
  ECONOMICS_INCOMPLETE: terms,
  ECONOMICS_INCONSISTENT: terms,
  NO_ACCEPTED_APPROVAL: offers,
  OFFER_EXPIRED: offers,
  TERMS_DIFFER_FROM_APPROVAL: offers,
  STATEMENT_ALTERED: statements,
  STATEMENT_MISSING_OR_STALE: statements,
  DECISION_DECLINED: statements,
  MERCHANT_DEFAULTED: merchant,
  OPEN_POSITION: merchant,
  ISO_NOT_ELIGIBLE: null,
  STIPS_OUTSTANDING: { tab: "stipulations", title: "Go to stipulations" },
  DISCLOSURE_STATE_UNKNOWN: { merchant: true, title: "Go to merchant" },
  DISCLOSURE_UNDELIVERED: disclosures,
  DISCLOSURE_UNSIGNED: disclosures,
  DISCLOSURE_STALE: disclosures,
  CONTRACT_UNSIGNED: { tab: "signatures", title: "Go to signatures" },
  BANK_UNVERIFIED: { merchant: true, title: "Go to bank accounts" },
  UCC_CONFLICT: null,
  PARTICIPATION_INVALID: null,
};

type Block = NonNullable<NonNullable<FundingBlocksQuery["deal"]>["fundingBlocks"]>[number];

/** Shows what blocks a deal's approval or funding, and how to clear it. */
export function Blocks({ dealId, to, onNavigate }: { dealId: string; to: DealState; onNavigate: () => void }) {
  const result = useQuery({ ...graphQuery(FundingBlocksDocument, { id: dealId, to }), gcTime: 0 });
  return (
    <Loaded noun="checks" record={result.data?.deal?.fundingBlocks} error={result.error} retry={result.refetch}>
      {(blocks) =>
        blocks.length === 0 ? (
          <Text>{to === "FUNDED" ? "Ready to fund" : "Ready to approve"}</Text>
        ) : (
          <Stack component="ul" gap="xs" p={0} m={0} aria-label="Funding blocks" style={{ listStyle: "none" }}>
            {blocks.map((block) => (
              <BlockCard
                key={block.code}
                block={block}
                dealId={dealId}
                merchantId={result.data?.deal?.merchantId}
                onNavigate={onNavigate}
              />
            ))}
          </Stack>
        )
      }
    </Loaded>
  );
}

type BlockCardProps = {
  block: Block;
  dealId: string;
  merchantId: string | undefined;
  /** Closes the dialog, since a link leads to another page. */
  onNavigate: () => void;
};

function BlockCard({ block, dealId, merchantId, onNavigate }: BlockCardProps) {
  const can = useCan();
  const target = targets[block.code];
  const tab = target?.tab ? `?tab=${target.tab}` : "";
  return (
    <Card component="li" withBorder padding="sm">
      <Stack gap={4}>
        <Group justify="space-between">
          <Text fw={600}>{humanize(block.code)}</Text>
          {block.overridden ? (
            <StateBadge state="SUPERSEDED" label="Overridden" />
          ) : (
            <StateBadge
              state={block.hard ? "FAILED" : "PENDING"}
              label={block.hard ? "Required" : "Can be overridden"}
            />
          )}
        </Group>
        <Text size="sm">{block.problem}</Text>
        <Text size="sm" c="dimmed">
          {block.remedy}
        </Text>
        {target && !block.overridden && (
          <Anchor
            component={Link}
            to={target.merchant ? `/merchants/${merchantId}` : `/deals/${dealId}${tab}`}
            size="sm"
            onClick={onNavigate}
          >
            {target.title}
          </Anchor>
        )}
        {!block.hard && !block.overridden && can("funding.override") && <Override block={block} dealId={dealId} />}
      </Stack>
    </Card>
  );
}

function Override({ block, dealId }: { block: Block; dealId: string }) {
  const [open, setOpen] = useState(false);
  const [reason, setReason] = useState("");
  const [problem, setProblem] = useState<Problem>();
  const [override, busy] = useGraphMutation(OverrideFundingBlockDocument);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const { problem: failure } = await override({ dealId, input: { code: block.code, reason } });
    setProblem(failure);
    if (!failure) {
      showSuccess(`${humanize(block.code)} overridden.`);
    }
  };
  if (!open) {
    return (
      <Group>
        <Button
          size="xs"
          variant="default"
          onClick={() => setOpen(true)}
          aria-label={`Override: ${humanize(block.code)}`}
        >
          Override
        </Button>
      </Group>
    );
  }
  return (
    <form onSubmit={(event) => void submit(event)}>
      <Group align="flex-end">
        <TextInput
          flex={1}
          label="Override reason"
          value={reason}
          onChange={(e) => setReason(e.currentTarget.value)}
          error={problem && (problem.details[0]?.message ?? problem.message)}
          required
        />
        <Button type="submit" size="sm" loading={busy}>
          Override
        </Button>
      </Group>
    </form>
  );
}
