import { Button, Checkbox, Group, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { FormError } from "../../components/FormError";
import { humanize } from "../../components/format";
import { Loaded } from "../../components/Loaded";
import { Section } from "../../components/Section";
import { graphQuery } from "../../gql/client";
import { FundingPoliciesDocument, type FundingPoliciesQuery, SaveFundingPolicyDocument } from "../../gql/documents";
import { showSuccess, useGraphMutation } from "../../gql/mutation";
import type { Problem } from "../../session/auth";
import classes from "./Company.module.css";
import { Versions } from "./Versions";

type Policy = NonNullable<FundingPoliciesQuery["fundingPolicies"]>[number];
type Rule = NonNullable<FundingPoliciesQuery["fundingBlockRules"]>[number];

/** The funding blocks that the company checks before a deal can fund. */
export function FundingPolicy() {
  const result = useQuery(graphQuery(FundingPoliciesDocument, {}));
  return (
    <Loaded noun="funding policy" record={result.data?.fundingPolicies} error={result.error} retry={result.refetch}>
      {(policies) => {
        const [current] = policies;
        return (
          <Stack>
            {current && <PolicyForm key={current.id} policy={current} rules={result.data?.fundingBlockRules ?? []} />}
            <Versions
              versions={policies.map((p) => ({
                id: p.id,
                version: p.version,
                title: humanize(p.profile),
                summary: `${p.blocks.length} rules on`,
                at: p.createdAt,
              }))}
            />
          </Stack>
        );
      }}
    </Loaded>
  );
}

function PolicyForm({ policy, rules }: { policy: Policy; rules: Rule[] }) {
  const [blocks, setBlocks] = useState(policy.blocks);
  const [problem, setProblem] = useState<Problem>();
  const [save, busy] = useGraphMutation(SaveFundingPolicyDocument);
  const unchanged = blocks.length === policy.blocks.length && blocks.every((b) => policy.blocks.includes(b));
  const submit = async () => {
    const outcome = await save({ blocks: rules.map((r) => r.code).filter((code) => blocks.includes(code)) });
    setProblem(outcome.problem);
    if (outcome.data?.saveFundingPolicy) {
      showSuccess(`Version ${outcome.data.saveFundingPolicy.version} of the funding policy is now active.`);
    }
  };
  return (
    <Section title={`Version ${policy.version}, active`}>
      <Text size="sm" c="dimmed">
        These rules block the approval or funding of a deal. Some can be overridden, with permission and a reason; the
        rest are required.
      </Text>
      <Checkbox.Group value={blocks} onChange={setBlocks} aria-label="Funding blocks">
        <div className={classes.choices}>
          {rules.map((rule) => (
            <Checkbox
              key={rule.code}
              value={rule.code}
              label={rule.title}
              description={`${rule.hard ? "Required" : "Can be overridden"}; for ${rule.at
                .map((state) => humanize(state).toLowerCase())
                .join(" and ")}`}
            />
          ))}
        </div>
      </Checkbox.Group>
      <FormError problem={problem} />
      <Group justify="flex-end">
        <Button variant="default" disabled={unchanged} onClick={() => setBlocks(policy.blocks)}>
          Discard changes
        </Button>
        <Button disabled={unchanged} loading={busy} onClick={() => void submit()}>
          Publish
        </Button>
      </Group>
    </Section>
  );
}
