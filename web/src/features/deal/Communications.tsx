import { Contacts } from "../../components/Contacts";
import { DealCommunicationsDocument } from "../../gql/documents";
import { Part } from "./Part";

export default function Communications({ id }: { id: string }) {
  return (
    <Part
      id={id}
      what="calls and messages"
      document={DealCommunicationsDocument}
      list={(data) => data.deal?.communications}
      empty="No calls or messages about this deal yet."
    >
      {(items) => <Contacts of={items} total={items.length} />}
    </Part>
  );
}
