import { Group, Stack, Table, Text } from "@mantine/core";
import { useQuery } from "urql";
import { ConfirmButton } from "../../components/ConfirmButton";
import { Instant } from "../../components/Instant";
import { Loaded } from "../../components/Loaded";
import { complain, tell, useAct } from "../../gql/act";
import { DeleteRoleDocument, type MembersRoleFragment, RolesDocument } from "../../gql/documents";
import { RoleDialog } from "./RoleDialog";

/** summary says in few words what a role allows. */
function summary({ permissions }: MembersRoleFragment): string {
  if (permissions.includes("*")) {
    return "Everything";
  }
  const shown = permissions.map((p) => (p === "*:read" ? "read on everything" : p));
  return shown.length === 0 ? "Nothing" : shown.join(", ");
}

/** Roles are named sets of permissions. */
export function Roles() {
  const [result, again] = useQuery({ query: RolesDocument });
  const [remove] = useAct(DeleteRoleDocument);
  const drop = async (role: MembersRoleFragment) => {
    const { problem } = await remove({ id: role.id });
    if (problem) {
      complain(problem);
      return;
    }
    tell(`${role.name} is deleted.`);
    again({ requestPolicy: "network-only" });
  };
  return (
    <Loaded what="roles" record={result.data?.roles} error={result.error} retry={again}>
      {(roles) => (
        <Stack gap="xs">
          <Text size="sm" c="dimmed">
            What a role allows holds for all who have it, from their next request on.
          </Text>
          <Table.ScrollContainer
            minWidth={640}
            scrollAreaProps={{ viewportProps: { tabIndex: 0, role: "region", "aria-label": "Table of roles" } }}
          >
            <Table aria-label="Roles">
              <Table.Thead>
                <Table.Tr>
                  <Table.Th>Role</Table.Th>
                  <Table.Th>Allows</Table.Th>
                  <Table.Th>Last change</Table.Th>
                  <Table.Th>Actions</Table.Th>
                </Table.Tr>
              </Table.Thead>
              <Table.Tbody>
                {roles.map((role) => (
                  <Table.Tr key={role.id}>
                    <Table.Td>{role.name}</Table.Td>
                    <Table.Td>
                      <Text size="sm">{summary(role)}</Text>
                    </Table.Td>
                    <Table.Td>
                      <Instant at={role.updatedAt} relative />
                    </Table.Td>
                    <Table.Td>
                      <Group gap="xs" wrap="nowrap">
                        <RoleDialog label="Edit" of={role} />
                        {role.code === null && (
                          <ConfirmButton
                            size="xs"
                            danger
                            label="Delete"
                            consequence={`${role.name} is gone for good. A role that a member has stays.`}
                            run={() => drop(role)}
                          />
                        )}
                      </Group>
                    </Table.Td>
                  </Table.Tr>
                ))}
              </Table.Tbody>
            </Table>
          </Table.ScrollContainer>
        </Stack>
      )}
    </Loaded>
  );
}
