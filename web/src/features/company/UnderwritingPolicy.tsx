import { Button, Group, Modal, Stack, Text, Textarea, TextInput } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { FormError, fieldError } from "../../components/FormError";
import { Loaded } from "../../components/Loaded";
import { Section } from "../../components/Section";
import { graphQuery } from "../../gql/client";
import {
  SaveUnderwritingPolicyDocument,
  UnderwritingPoliciesDocument,
  type UnderwritingPoliciesQuery,
} from "../../gql/documents";
import { showSuccess, useGraphMutation } from "../../gql/mutation";
import type { Problem } from "../../session/auth";
import classes from "./Company.module.css";
import { ScoringRules } from "./ScoringRules";
import { Versions } from "./Versions";

type Policy = NonNullable<UnderwritingPoliciesQuery["underwritingPolicies"]>[number];

/** The rules that deals are scored by. */
export function UnderwritingPolicy() {
  const result = useQuery(graphQuery(UnderwritingPoliciesDocument, {}));
  return (
    <Loaded
      noun="underwriting policy"
      record={result.data?.underwritingPolicies}
      error={result.error}
      retry={result.refetch}
    >
      {(policies) => {
        const [current] = policies;
        return current ? (
          <Stack>
            <Section
              title={`${current.name}, version ${current.version}, active`}
              actions={<NewVersion key={current.id} policy={current} />}
            >
              <ScoringRules value={current.rules} />
            </Section>
            <Versions
              versions={policies.map((p) => ({ id: p.id, version: p.version, title: p.name, at: p.createdAt }))}
            />
          </Stack>
        ) : (
          <Text c="dimmed">No scoring rules yet. Deals cannot be scored.</Text>
        );
      }}
    </Loaded>
  );
}

/** Parses JSON. Returns undefined if it is invalid. */
function parseJson(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

function NewVersion({ policy }: { policy: Policy }) {
  const [opened, dialog] = useDisclosure();
  const [name, setName] = useState(policy.name);
  const [rules, setRules] = useState(() => JSON.stringify(policy.rules, null, 2));
  const [problem, setProblem] = useState<Problem>();
  const [save, busy] = useGraphMutation(SaveUnderwritingPolicyDocument);
  const parsed = parseJson(rules);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    if (parsed === undefined) {
      return;
    }
    const outcome = await save({ input: { name, rules: parsed } });
    setProblem(outcome.problem);
    if (outcome.data?.saveUnderwritingPolicy) {
      showSuccess(`Version ${outcome.data.saveUnderwritingPolicy.version} of the scoring rules is now active.`);
      dialog.close();
    }
  };
  return (
    <>
      <Button variant="default" onClick={dialog.open}>
        New version
      </Button>
      <Modal
        opened={opened}
        onClose={dialog.close}
        title="New version of the scoring rules"
        size="xl"
        closeButtonProps={{ "aria-label": "Close" }}
      >
        <form onSubmit={(event) => void submit(event)}>
          <Stack>
            <Text size="sm">Takes effect when published. Past decisions keep the version they were made with.</Text>
            <TextInput
              label="Name"
              value={name}
              onChange={(e) => setName(e.currentTarget.value)}
              error={fieldError(problem, "name")}
              required
            />
            <Textarea
              label="Rules"
              description="JSON, in the format of the active version"
              className={classes.json}
              value={rules}
              onChange={(e) => setRules(e.currentTarget.value)}
              error={
                parsed === undefined
                  ? "Not valid JSON: look for a missing comma, quote or bracket"
                  : fieldError(problem, "rules")
              }
              autosize
              minRows={12}
              maxRows={24}
              spellCheck={false}
              required
            />
            <FormError problem={problem} fields={["name", "rules"]} />
            <Group justify="flex-end">
              <Button variant="default" onClick={dialog.close}>
                Cancel
              </Button>
              <Button type="submit" loading={busy} disabled={parsed === undefined}>
                Publish
              </Button>
            </Group>
          </Stack>
        </form>
      </Modal>
    </>
  );
}
