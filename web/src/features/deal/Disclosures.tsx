import { Stack } from "@mantine/core";
import { Data } from "../../components/Data";
import { Fields } from "../../components/Fields";
import { Instant } from "../../components/Instant";
import { Section } from "../../components/Section";
import { StateBadge } from "../../components/StateBadge";
import { DealDisclosuresDocument } from "../../gql/documents";
import { Part } from "./Part";

export default function Disclosures({ id }: { id: string }) {
  return (
    <Part
      id={id}
      what="disclosures"
      document={DealDisclosuresDocument}
      list={(data) => data.deal?.disclosures}
      empty="No disclosure was made for this deal. Where the merchant's state demands none, none is needed."
    >
      {(items) => (
        <Stack>
          {items.map((d) => (
            <Section key={d.id} title={`Law of ${d.state}`} actions={<StateBadge state={d.status} />}>
              <Fields
                label="Dates"
                of={[
                  ["Made", <Instant key="made" at={d.createdAt} />],
                  ["Delivered", <Instant key="delivered" at={d.deliveredAt} />],
                  ["Signed", <Instant key="signed" at={d.signedAt} />],
                ]}
              />
              <Data value={d.computed} />
            </Section>
          ))}
        </Stack>
      )}
    </Part>
  );
}
