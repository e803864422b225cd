import { Stack } from "@mantine/core";
import { CommunicationsTable } from "../../components/CommunicationsTable";
import { Notes } from "../../components/Notes";
import { Section } from "../../components/Section";
import { DealCommunicationsDocument, DealNotesDocument } from "../../gql/documents";
import { useCan } from "../../session/permissions";
import { LogCommunication } from "../merchants/LogCommunication";
import { DealList } from "./DealList";

/** Staff notes on a deal, and calls and messages with the merchant. */
export default function Communications({ deal }: { deal: { id: string } }) {
  const can = useCan();
  return (
    <Stack>
      <Section title="Notes">
        <DealList
          id={deal.id}
          noun="notes"
          document={DealNotesDocument}
          list={(data) => data.deal?.staffNotes && { nodes: [data.deal.staffNotes], totalCount: 1 }}
          empty=""
        >
          {([notes]) => notes && <Notes about={{ dealId: deal.id }} notes={notes.nodes} total={notes.totalCount} />}
        </DealList>
      </Section>
      {can("communications:read") && (
        <Section
          title="Calls and messages"
          actions={can("communications:write") && <LogCommunication about={{ dealId: deal.id }} />}
        >
          <DealList
            id={deal.id}
            noun="calls and messages"
            document={DealCommunicationsDocument}
            list={(data) => data.deal?.communications}
            empty="No calls or messages for this deal yet."
          >
            {(items) => <CommunicationsTable items={items} total={items.length} />}
          </DealList>
        </Section>
      )}
    </Stack>
  );
}
