import { Group, Stack, Table, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { ConfirmButton } from "../../components/ConfirmButton";
import { Instant } from "../../components/Instant";
import { Loaded } from "../../components/Loaded";
import { SmallTable } from "../../components/SmallTable";
import { graphQuery } from "../../gql/client";
import { DeleteRoleDocument, type RoleFieldsFragment, RolesDocument } from "../../gql/documents";
import { showProblem, showSuccess, useGraphMutation } from "../../gql/mutation";
import { RoleDialog } from "./RoleDialog";

/** Lists the resources of scopes: deals, credit facilities. */
const resourceList = (scopes: string[]) => scopes.map((scope) => scope.split(":")[0]?.replaceAll("-", " ")).join(", ");

/** Sums up a role: write access, read access, and other permissions. */
function PermissionSummary({
  role: { permissions },
  staffPermissions,
}: {
  role: RoleFieldsFragment;
  staffPermissions: { permission: string; doc: string }[];
}) {
  if (permissions.includes("*")) {
    return "Everything";
  }
  const written = permissions.filter((p) => p.endsWith(":write"));
  const read = permissions.filter((p) => p.endsWith(":read") && p !== "*:read");
  const lines: [string, string][] = [
    ["Write", resourceList(written)],
    ["Read", permissions.includes("*:read") ? "everything" : resourceList(read)],
    [
      "Actions",
      staffPermissions
        .filter((a) => permissions.includes(a.permission))
        .map((a) => a.doc.toLowerCase())
        .join("; "),
    ],
  ];
  const visibleLines = lines.filter(([, text]) => text !== "");
  return visibleLines.length === 0
    ? "Nothing"
    : visibleLines.map(([verb, text]) => (
        <Text key={verb} size="sm">
          <Text span inherit c="dimmed">
            {verb}
          </Text>{" "}
          {text}
        </Text>
      ));
}

export function Roles() {
  const result = useQuery(graphQuery(RolesDocument, {}));
  const [remove] = useGraphMutation(DeleteRoleDocument);
  const removeRole = async (role: RoleFieldsFragment) => {
    const { problem } = await remove({ id: role.id });
    if (problem) {
      showProblem(problem);
      return;
    }
    showSuccess(`${role.name} deleted.`);
  };
  return (
    <Loaded noun="roles" record={result.data?.roles} error={result.error} retry={result.refetch}>
      {(roles) => (
        <Stack gap="xs">
          <Text size="sm" c="dimmed">
            Changes to a role apply immediately to everyone who has it.
          </Text>
          <SmallTable
            label="Roles"
            region="Table of roles"
            minWidth={640}
            head={
              <>
                <Table.Th>Role</Table.Th>
                <Table.Th>Permissions</Table.Th>
                <Table.Th>Last updated</Table.Th>
                <Table.Th>Actions</Table.Th>
              </>
            }
          >
            {roles.map((role) => (
              <Table.Tr key={role.id}>
                <Table.Td>{role.name}</Table.Td>
                <Table.Td>
                  <PermissionSummary role={role} staffPermissions={result.data?.staffPermissions ?? []} />
                </Table.Td>
                <Table.Td>
                  <Instant at={role.updatedAt} relative />
                </Table.Td>
                <Table.Td>
                  <Group gap="xs" wrap="nowrap">
                    <RoleDialog label="Edit" role={role} />
                    {role.code === null && (
                      <ConfirmButton
                        size="xs"
                        danger
                        label="Delete"
                        name={`Delete ${role.name}`}
                        consequence={`${role.name} will be deleted. A role in use cannot be deleted.`}
                        run={() => removeRole(role)}
                      />
                    )}
                  </Group>
                </Table.Td>
              </Table.Tr>
            ))}
          </SmallTable>
        </Stack>
      )}
    </Loaded>
  );
}
