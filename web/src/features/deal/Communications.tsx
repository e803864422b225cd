import { Stack } from "@mantine/core";
import { CommunicationsTable } from "../../components/CommunicationsTable";
import { Notes } from "../../components/Notes";
import { Section } from "../../components/Section";
import { DealCommunicationsDocument, DealNotesDocument } from "../../gql/documents";
import { useCan } from "../../session/permissions";
import { LogContact } from "../merchants/LogContact";
import { Part } from "./Part";

/** Staff notes on a deal, and calls and messages with the merchant. */
export default function Communications({ deal }: { deal: { id: string } }) {
  const can = useCan();
  return (
    <Stack>
      <Section title="Notes">
        <Part
          id={deal.id}
          what="notes"
          document={DealNotesDocument}
          list={(data) => data.deal?.staffNotes && { nodes: [data.deal.staffNotes], totalCount: 1 }}
          empty=""
        >
          {([notes]) => notes && <Notes about={{ dealId: deal.id }} notes={notes.nodes} total={notes.totalCount} />}
        </Part>
      </Section>
      {can("communications:read") && (
        <Section
          title="Calls and messages"
          actions={can("communications:write") && <LogContact about={{ dealId: deal.id }} />}
        >
          <Part
            id={deal.id}
            what="calls and messages"
            document={DealCommunicationsDocument}
            list={(data) => data.deal?.communications}
            empty="No calls or messages for this deal yet."
          >
            {(items) => <CommunicationsTable items={items} total={items.length} />}
          </Part>
        </Section>
      )}
    </Stack>
  );
}
