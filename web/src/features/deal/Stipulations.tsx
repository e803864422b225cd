import { Button, Group, Stack, Text, TextInput } from "@mantine/core";
import { type FormEvent, useState } from "react";
import { useQuery } from "urql";
import { Fields } from "../../components/Fields";
import { Instant } from "../../components/Instant";
import { Loaded } from "../../components/Loaded";
import { Section } from "../../components/Section";
import { StateBadge } from "../../components/StateBadge";
import { complain, type Outcome, tell, useAct } from "../../gql/act";
import {
  ApproveStipulationDocument,
  DealStipulationsDocument,
  type DealStipulationsQuery,
  ReceiveStipulationDocument,
  RejectStipulationDocument,
  ReopenStipulationDocument,
  WaiveStipulationDocument,
} from "../../gql/documents";
import { useCan } from "../../session/permissions";

type Stipulation = NonNullable<NonNullable<DealStipulationsQuery["deal"]>["stipulations"]>[number];

/** Stipulations lists what the deal needs before it is funded, and what can be done about each. */
export default function Stipulations({ id }: { id: string }) {
  const [result, again] = useQuery({ query: DealStipulationsDocument, variables: { id } });
  return (
    <Loaded what="stipulations" record={result.data?.deal?.stipulations} error={result.error} retry={again}>
      {(stipulations) =>
        stipulations.length === 0 ? (
          <Text c="dimmed">Nothing is asked for.</Text>
        ) : (
          <Stack>
            {stipulations.map((s) => (
              <Section
                key={s.id}
                title={s.months ? `${s.title} (${s.months} months)` : s.title}
                actions={<StateBadge state={s.status} />}
              >
                <Fields
                  label={s.title}
                  of={[
                    ["Needed for funding", s.required ? "Yes" : "No"],
                    ["Received", <Instant key="received" at={s.receivedAt} />],
                    ["Approved", <Instant key="approved" at={s.approvedAt} />],
                    ...(s.rejectedReason ? [["Rejected because", s.rejectedReason] as [string, string]] : []),
                    ...(s.waivedReason ? [["Waived because", s.waivedReason] as [string, string]] : []),
                  ]}
                />
                <Actions of={s} done={() => again({ requestPolicy: "network-only" })} />
              </Section>
            ))}
          </Stack>
        )
      }
    </Loaded>
  );
}

function Actions({ of: s, done }: { of: Stipulation; done: () => void }) {
  const can = useCan();
  const [receive] = useAct(ReceiveStipulationDocument);
  const [approve] = useAct(ApproveStipulationDocument);
  const [reject] = useAct(RejectStipulationDocument);
  const [waive] = useAct(WaiveStipulationDocument);
  const [reopen] = useAct(ReopenStipulationDocument);
  const run = async (act: Promise<Outcome<unknown>>, said: string) => {
    const { problem } = await act;
    if (problem) {
      complain(problem);
      return;
    }
    tell(`${s.title}: ${said}.`);
    done();
  };
  const open = s.status === "REQUESTED" || s.status === "RECEIVED";
  return (
    <Group align="flex-end">
      {s.status === "REQUESTED" && can("deals:write") && (
        <Button size="xs" onClick={() => void run(receive({ id: s.id, input: {} }), "received")}>
          It came in
        </Button>
      )}
      {s.status === "RECEIVED" && can("stipulations.approve") && (
        <>
          <Button size="xs" onClick={() => void run(approve({ id: s.id }), "approved")}>
            Approve
          </Button>
          <WithReason label="Reject" run={(reason) => run(reject({ id: s.id, input: { reason } }), "rejected")} />
        </>
      )}
      {open && s.waivable && can("stipulations.waive") && (
        <WithReason label="Waive" run={(reason) => run(waive({ id: s.id, input: { reason } }), "waived")} />
      )}
      {!open && s.status !== "APPROVED" && can("deals:write") && (
        <Button size="xs" variant="default" onClick={() => void run(reopen({ id: s.id }), "asked for again")}>
          Ask again
        </Button>
      )}
    </Group>
  );
}

/** WithReason is an act that needs one, which is kept. */
function WithReason({ label, run }: { label: string; run: (reason: string) => Promise<void> }) {
  const [open, setOpen] = useState(false);
  const [reason, setReason] = useState("");
  const submit = (event: FormEvent) => {
    event.preventDefault();
    void run(reason);
  };
  return open ? (
    <form onSubmit={submit}>
      <Group align="flex-end" gap="xs">
        <TextInput
          size="xs"
          label="Reason"
          value={reason}
          onChange={(e) => setReason(e.currentTarget.value)}
          required
        />
        <Button size="xs" type="submit">
          {label}
        </Button>
      </Group>
    </form>
  ) : (
    <Button size="xs" variant="default" onClick={() => setOpen(true)}>
      {label}
    </Button>
  );
}
