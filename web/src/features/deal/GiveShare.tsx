import { Select, Text } from "@mantine/core";
import { useDebouncedValue } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { FormDialog } from "../../components/FormDialog";
import { money } from "../../components/format";
import { tell, useAct } from "../../gql/act";
import { graphQuery } from "../../gql/client";
import { CreateParticipationDocument, type NewParticipation, SyndicatorChoicesDocument } from "../../gql/documents";
import { shareField } from "../syndicators/fields";

/** GiveShare gives a syndicator who has none a share of a deal, on the syndicator's own terms. */
export function GiveShare({
  dealId,
  taken,
}: {
  dealId: string;
  taken: readonly { syndicator: { id: string } | null }[];
}) {
  const [create] = useAct(CreateParticipationDocument);
  const [syndicatorId, choose] = useState<string | null>(null);
  return (
    <FormDialog
      label="Give a share"
      fields={[shareField]}
      submitLabel="Give share"
      save={async (changes) => {
        const { data, problem } = await create({ input: { ...changes, dealId, syndicatorId } as NewParticipation });
        if (!problem) {
          tell(`The share is given: ${money(data.createParticipation?.amount)} of the deal.`);
          choose(null);
        }
        return problem;
      }}
    >
      <Text size="sm">
        The share has the terms of the syndicator; for this deal alone they can be changed afterwards.
      </Text>
      <SyndicatorSelect value={syndicatorId} onChange={choose} without={taken.map((p) => p.syndicator?.id)} />
    </FormDialog>
  );
}

/** SyndicatorSelect finds one who is active by the name, and shows what is in the wallet. */
function SyndicatorSelect({
  value,
  onChange,
  without,
}: {
  value: string | null;
  onChange: (id: string | null) => void;
  without: (string | undefined)[];
}) {
  const [text, setText] = useState("");
  const [q] = useDebouncedValue(text, 250);
  // What is shown of the one who is chosen is no search.
  const result = useQuery(graphQuery(SyndicatorChoicesDocument, { q: value ? null : q || null }));
  const nodes = result.data?.syndicators?.nodes ?? [];
  const chosen = nodes.find((s) => s.id === value);
  return (
    <Select
      label="Syndicator"
      required
      searchable
      data={nodes.filter((s) => s.isActive && !without.includes(s.id)).map((s) => ({ value: s.id, label: s.name }))}
      value={value}
      onChange={onChange}
      searchValue={text}
      onSearchChange={setText}
      filter={({ options }) => options}
      nothingFoundMessage={result.isFetching ? "Looking …" : "No such syndicator, or they have a share already"}
      description={
        chosen
          ? [
              chosen.balances && `${money(chosen.balances.wallet)} in the wallet`,
              chosen.maxPerDeal && `at most ${money(chosen.maxPerDeal)} in one deal`,
            ]
              .filter(Boolean)
              .join(", ")
          : undefined
      }
    />
  );
}
