import { Button, Group, Modal, Stack, TextInput } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { FormError, fieldError } from "../../components/FormError";
import { graphQuery } from "../../gql/client";
import { CreateRoleDocument, type RoleFieldsFragment, RolesDocument, UpdateRoleDocument } from "../../gql/documents";
import { showSuccess, useGraphMutation } from "../../gql/mutation";
import type { Problem } from "../../session/auth";
import { Permissions } from "./Permissions";

/** Creates a role, or edits the given one. */
export function RoleDialog({ label, role }: { label: string; role?: RoleFieldsFragment }) {
  const [opened, dialog] = useDisclosure();
  return (
    <>
      <Button
        onClick={dialog.open}
        {...(role ? { size: "xs", variant: "default", "aria-label": `${label} ${role.name}` } : {})}
      >
        {label}
      </Button>
      <Modal
        opened={opened}
        onClose={dialog.close}
        title={role ? `${label} ${role.name}` : label}
        size="xl"
        closeButtonProps={{ "aria-label": "Close" }}
      >
        <RoleForm {...(role ? { role } : {})} close={dialog.close} />
      </Modal>
    </>
  );
}

function RoleForm({ role, close }: { role?: RoleFieldsFragment; close: () => void }) {
  const result = useQuery(graphQuery(RolesDocument, {}));
  const [name, setName] = useState(role?.name ?? "");
  const [permissions, setPermissions] = useState(role?.permissions ?? []);
  const [problem, setProblem] = useState<Problem>();
  const [create, creating] = useGraphMutation(CreateRoleDocument);
  const [update, updating] = useGraphMutation(UpdateRoleDocument);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const input = { name, permissions };
    const outcome = role ? await update({ id: role.id, input }) : await create({ input });
    setProblem(outcome.problem);
    if (!outcome.problem) {
      showSuccess(role ? "Role saved." : `${name} created.`);
      close();
    }
  };
  return (
    <form onSubmit={(event) => void submit(event)}>
      <Stack>
        <TextInput
          label="Name"
          value={name}
          onChange={(e) => setName(e.currentTarget.value)}
          error={fieldError(problem, "name")}
          maw={360}
          required
        />
        <Permissions value={permissions} set={setPermissions} staff={result.data?.staffPermissions ?? []} />
        <FormError problem={problem} fields={["name"]} />
        <Group justify="flex-end">
          <Button variant="default" onClick={close}>
            Cancel
          </Button>
          <Button type="submit" loading={creating || updating}>
            {role ? "Save" : "Create role"}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
