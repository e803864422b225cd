import { Select, Text } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { FormDialog } from "../../components/FormDialog";
import { money } from "../../components/format";
import { graphQuery } from "../../gql/client";
import { CreateParticipationDocument, type NewParticipation, SyndicatorOptionsDocument } from "../../gql/documents";
import { showSuccess, useGraphMutation } from "../../gql/mutation";
import { percentField } from "../syndicators/fields";

/** Adds a participation to a deal, on the syndicator's default terms. */
export function AddSyndicator({
  dealId,
  participations,
}: {
  dealId: string;
  participations: readonly { syndicator: { id: string } | null }[];
}) {
  const [create] = useGraphMutation(CreateParticipationDocument);
  const [syndicatorId, setSyndicatorId] = useState<string | null>(null);
  return (
    <FormDialog
      label="Add syndicator"
      fields={[percentField]}
      submitLabel="Add syndicator"
      save={async (changes) => {
        const { data, problem } = await create({ input: { ...changes, dealId, syndicatorId } as NewParticipation });
        if (!problem) {
          showSuccess(`Syndicator added with ${money(data.createParticipation?.amount)} of the deal.`);
          setSyndicatorId(null);
        }
        return problem;
      }}
    >
      <Text size="sm">
        The share has the terms of the syndicator; for this deal alone they can be changed afterwards.
      </Text>
      <SyndicatorSelect
        value={syndicatorId}
        onChange={setSyndicatorId}
        exclude={participations.map((p) => p.syndicator?.id)}
      />
    </FormDialog>
  );
}

/** Finds an active syndicator by name, and shows the wallet balance. */
function SyndicatorSelect({
  value,
  onChange,
  exclude,
}: {
  value: string | null;
  onChange: (id: string | null) => void;
  exclude: (string | undefined)[];
}) {
  const [text, setText] = useState("");
  const [q] = useDebouncedValue(text, 250);
  // The label of the selected syndicator is not a search text.
  const result = useQuery(graphQuery(SyndicatorOptionsDocument, { q: value ? null : q || null }));
  const nodes = result.data?.syndicators?.nodes ?? [];
  const selected = nodes.find((s) => s.id === value);
  return (
    <Select
      label="Syndicator"
      required
      searchable
      data={nodes.filter((s) => s.isActive && !exclude.includes(s.id)).map((s) => ({ value: s.id, label: s.name }))}
      value={value}
      onChange={onChange}
      searchValue={text}
      onSearchChange={setText}
      filter={({ options }) => options}
      nothingFoundMessage={result.isFetching ? "Searching…" : "No matching syndicator, or already on this deal"}
      description={
        selected
          ? [
              selected.balances && `${money(selected.balances.wallet)} in the wallet`,
              selected.maxPerDeal && `at most ${money(selected.maxPerDeal)} in one deal`,
            ]
              .filter(Boolean)
              .join(", ")
          : undefined
      }
    />
  );
}
