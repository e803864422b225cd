import { Stack, Tabs } from "@mantine/core";
import { PageHeader } from "../../components/PageHeader";
import { TabBar } from "../../components/TabBar";
import { chosen, useTableSearch } from "../../components/table";
import { FundingPolicy } from "./FundingPolicy";
import { Profile } from "./Profile";
import { UnderwritingPolicy } from "./UnderwritingPolicy";

const tabs = [
  { value: "profile", label: "Profile" },
  { value: "funding", label: "Funding policy" },
  { value: "underwriting", label: "Underwriting policy" },
] as const;

/** Company settings. The tab is a search parameter. */
export function Company() {
  const { value, set } = useTableSearch();
  const tab =
    chosen(
      value("tab"),
      tabs.map((t) => t.value),
    ) ?? "profile";
  return (
    <Stack>
      <PageHeader title="Company" />
      <Tabs
        value={tab}
        onChange={(next) => set({ tab: next === "profile" ? undefined : (next ?? undefined) })}
        keepMounted={false}
      >
        <TabBar tabs={tabs} active={tab} />
        <Tabs.Panel value="profile" pt="md">
          <Profile />
        </Tabs.Panel>
        <Tabs.Panel value="funding" pt="md">
          <FundingPolicy />
        </Tabs.Panel>
        <Tabs.Panel value="underwriting" pt="md">
          <UnderwritingPolicy />
        </Tabs.Panel>
      </Tabs>
    </Stack>
  );
}
