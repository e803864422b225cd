import { Checkbox, Stack, Table, Title } from "@mantine/core";
import { humanize } from "../../components/format";
import { scopes } from "../../gql/contract";
import classes from "./Permissions.module.css";

const all = "*";
const readAll = "*:read";
const resources = [...new Set(scopes.map((scope) => scope.split(":")[0] ?? ""))];
const nameOf = (resource: string) => (resource === "isos" ? "ISOs" : humanize(resource.replaceAll("-", "_")));

type Props = {
  value: string[];
  set: (value: string[]) => void;
  /** Permissions that are not scopes, with their descriptions. */
  staff: { permission: string; doc: string }[];
};

/** Permissions as check boxes. One that another implies is checked and disabled. */
export function Permissions({ value, set, staff }: Props) {
  const has = (permission: string) => value.includes(permission);
  const everything = has(all);
  const toggle = (permission: string, on: boolean) =>
    set(on ? [...value, permission] : value.filter((p) => p !== permission));
  return (
    <Stack>
      <Checkbox
        label="Everything"
        description="All permissions, including future ones"
        checked={everything}
        onChange={(e) => toggle(all, e.currentTarget.checked)}
      />
      <Title order={3}>Records</Title>
      <Checkbox
        label="Read everything"
        checked={everything || has(readAll)}
        disabled={everything}
        onChange={(e) => toggle(readAll, e.currentTarget.checked)}
      />
      <Table aria-label="Permissions on records" verticalSpacing={4} maw={480}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>Records</Table.Th>
            <Table.Th>Read</Table.Th>
            <Table.Th>Write</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {resources.map((resource) => {
            const read = `${resource}:read`;
            const write = `${resource}:write`;
            const implied = everything || has(readAll) || has(write);
            return (
              <Table.Tr key={resource}>
                <Table.Td>{nameOf(resource)}</Table.Td>
                <Table.Td>
                  <Checkbox
                    aria-label={`Read ${nameOf(resource).toLowerCase()}`}
                    checked={implied || has(read)}
                    disabled={implied}
                    onChange={(e) => toggle(read, e.currentTarget.checked)}
                  />
                </Table.Td>
                <Table.Td>
                  <Checkbox
                    aria-label={`Write ${nameOf(resource).toLowerCase()}`}
                    checked={everything || has(write)}
                    disabled={everything}
                    onChange={(e) => toggle(write, e.currentTarget.checked)}
                  />
                </Table.Td>
              </Table.Tr>
            );
          })}
        </Table.Tbody>
      </Table>
      <Title order={3}>Actions</Title>
      <div className={classes.acts}>
        {staff.map(({ permission, doc }) => (
          <Checkbox
            key={permission}
            label={doc}
            description={permission}
            checked={everything || has(permission)}
            disabled={everything}
            onChange={(e) => toggle(permission, e.currentTarget.checked)}
          />
        ))}
      </div>
    </Stack>
  );
}
