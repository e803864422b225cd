import { Stack, Tabs } from "@mantine/core";
import { PageHeader } from "../../components/PageHeader";
import { TabBar } from "../../components/TabBar";
import { chosen, useTableSearch } from "../../components/table";
import { Members } from "./Members";
import { NewMember } from "./NewMember";
import { RoleDialog } from "./RoleDialog";
import { Roles } from "./Roles";

const tabs = [
  { value: "members", label: "Users" },
  { value: "roles", label: "Roles" },
] as const;

/** The members of staff and their roles. The tab is a search parameter. */
export function Users() {
  const { value, set } = useTableSearch();
  const tab =
    chosen(
      value("tab"),
      tabs.map((t) => t.value),
    ) ?? "members";
  return (
    <Stack>
      <PageHeader title="Users" actions={tab === "roles" ? <RoleDialog label="New role" /> : <NewMember />} />
      <Tabs
        value={tab}
        onChange={(next) => set({ tab: next === "members" ? undefined : (next ?? undefined) })}
        keepMounted={false}
      >
        <TabBar tabs={tabs} active={tab} />
        <Tabs.Panel value="members" pt="md">
          <Members />
        </Tabs.Panel>
        <Tabs.Panel value="roles" pt="md">
          <Roles />
        </Tabs.Panel>
      </Tabs>
    </Stack>
  );
}
