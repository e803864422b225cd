import { Stack, Tabs } from "@mantine/core";
import { PageHeader } from "../../components/PageHeader";
import { TabBar } from "../../components/TabBar";
import { chosen, useTableSearch } from "../../components/table";
import { useCan } from "../../session/permissions";
import { CallEnds } from "./CallEnds";
import { DeclineReasons } from "./DeclineReasons";
import { PipelineSteps } from "./PipelineSteps";
import { ReturnCodes } from "./ReturnCodes";
import { StipulationTemplates } from "./StipulationTemplates";

const tabs = [
  { value: "pipeline", label: "Pipeline steps", needs: "submissions:read", panel: PipelineSteps },
  { value: "declines", label: "Reasons to decline", needs: "submissions:read", panel: DeclineReasons },
  { value: "stipulations", label: "Stipulations", needs: "deals:read", panel: StipulationTemplates },
  { value: "calls", label: "Ends of calls", needs: "communications:read", panel: CallEnds },
  { value: "returns", label: "Return codes", needs: "payments:read", panel: ReturnCodes },
] as const;

/** Lookups are the lists that staff choose from, in the company's own words. The tab is in the address. */
export function Lookups() {
  const { value, set } = useTableSearch();
  const can = useCan();
  const shown = tabs.filter((t) => can(t.needs));
  const tab =
    chosen(
      value("tab"),
      shown.map((t) => t.value),
    ) ??
    shown[0]?.value ??
    null;
  return (
    <Stack>
      <PageHeader title="Lists" />
      <Tabs value={tab} onChange={(next) => set({ tab: next ?? undefined })} keepMounted={false}>
        <TabBar of={shown} shown={tab} />
        {shown.map(({ value: name, panel: Panel }) => (
          <Tabs.Panel key={name} value={name} pt="md">
            <Panel />
          </Tabs.Panel>
        ))}
      </Tabs>
    </Stack>
  );
}
