import { Stack, Tabs } from "@mantine/core";
import { PageHeader } from "../../components/PageHeader";
import { TabBar } from "../../components/TabBar";
import { chosen, useTableSearch } from "../../components/table";
import { useCan } from "../../session/permissions";
import { CallOutcomes } from "./CallOutcomes";
import { DeclineReasons } from "./DeclineReasons";
import { PipelineStages } from "./PipelineStages";
import { ReturnCodes } from "./ReturnCodes";
import { StipulationTemplates } from "./StipulationTemplates";

const tabs = [
  { value: "pipeline", label: "Pipeline stages", needs: "submissions:read", panel: PipelineStages },
  { value: "declines", label: "Decline reasons", needs: "submissions:read", panel: DeclineReasons },
  { value: "stipulations", label: "Stipulations", needs: "deals:read", panel: StipulationTemplates },
  { value: "calls", label: "Call outcomes", needs: "communications:read", panel: CallOutcomes },
  { value: "returns", label: "Return codes", needs: "payments:read", panel: ReturnCodes },
] as const;

/** The company's own lists that staff choose from. The tab is a search parameter. */
export function Lookups() {
  const { value, set } = useTableSearch();
  const can = useCan();
  const visibleTabs = tabs.filter((t) => can(t.needs));
  const tab =
    chosen(
      value("tab"),
      visibleTabs.map((t) => t.value),
    ) ??
    visibleTabs[0]?.value ??
    null;
  return (
    <Stack>
      <PageHeader title="Lists" />
      <Tabs value={tab} onChange={(next) => set({ tab: next ?? undefined })} keepMounted={false}>
        <TabBar tabs={visibleTabs} active={tab} />
        {visibleTabs.map(({ value: name, panel: Panel }) => (
          <Tabs.Panel key={name} value={name} pt="md">
            <Panel />
          </Tabs.Panel>
        ))}
      </Tabs>
    </Stack>
  );
}
