import { Button, Card, Group, Stack, Text, TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { useQuery } from "urql";
import { words } from "../../components/format";
import { Loaded } from "../../components/Loaded";
import { StateBadge } from "../../components/StateBadge";
import { tell, useAct } from "../../gql/act";
import {
  type DealState,
  FundingBlocksDocument,
  type FundingBlocksQuery,
  OverrideFundingBlockDocument,
} from "../../gql/documents";
import type { Problem } from "../../session/auth";
import { useCan } from "../../session/permissions";

type Block = NonNullable<NonNullable<FundingBlocksQuery["deal"]>["fundingBlocks"]>[number];

/** Blocks says what stands in the way of a deal's approval or funding, and what to do about each. */
export function Blocks({ dealId, to }: { dealId: string; to: DealState }) {
  const [result, again] = useQuery({
    query: FundingBlocksDocument,
    variables: { id: dealId, to },
    requestPolicy: "network-only",
  });
  return (
    <Loaded what="checks" record={result.data?.deal?.fundingBlocks} error={result.error} retry={again}>
      {(blocks) =>
        blocks.length === 0 ? (
          <Text>Nothing stands in the way.</Text>
        ) : (
          <Stack component="ul" gap="xs" p={0} m={0} aria-label="Funding blocks" style={{ listStyle: "none" }}>
            {blocks.map((block) => (
              <BlockCard
                key={block.code}
                block={block}
                dealId={dealId}
                done={() => again({ requestPolicy: "network-only" })}
              />
            ))}
          </Stack>
        )
      }
    </Loaded>
  );
}

function BlockCard({ block, dealId, done }: { block: Block; dealId: string; done: () => void }) {
  const can = useCan();
  return (
    <Card component="li" withBorder padding="sm">
      <Stack gap={4}>
        <Group justify="space-between">
          <Text fw={600}>{words(block.code)}</Text>
          {block.overridden ? (
            <StateBadge state="SUPERSEDED" label="Overridden" />
          ) : (
            <StateBadge
              state={block.hard ? "FAILED" : "PENDING"}
              label={block.hard ? "Holds for everybody" : "May be overridden"}
            />
          )}
        </Group>
        <Text size="sm">{block.problem}</Text>
        <Text size="sm" c="dimmed">
          {block.remedy}
        </Text>
        {!block.hard && !block.overridden && can("funding.override") && (
          <Override block={block} dealId={dealId} done={done} />
        )}
      </Stack>
    </Card>
  );
}

function Override({ block, dealId, done }: { block: Block; dealId: string; done: () => void }) {
  const [open, setOpen] = useState(false);
  const [reason, setReason] = useState("");
  const [problem, setProblem] = useState<Problem>();
  const [override, busy] = useAct(OverrideFundingBlockDocument);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const { problem: refused } = await override({ dealId, input: { code: block.code, reason } });
    setProblem(refused);
    if (!refused) {
      tell(`${words(block.code)} is overridden.`);
      done();
    }
  };
  if (!open) {
    return (
      <Group>
        <Button size="xs" variant="default" onClick={() => setOpen(true)} aria-label={`Override: ${words(block.code)}`}>
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
          label="Why it need not hold the deal up"
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
