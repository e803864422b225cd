import { Button, Modal, Stack, Text } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useQuery } from "urql";
import { RecordForm } from "../../components/RecordForm";
import { tell, useAct } from "../../gql/act";
import { CreateUserDocument, type NewUser, RolesDocument } from "../../gql/documents";
import { type Reset, ResetDialog } from "./ResetDialog";

/** NewMember makes a member of staff, who chooses a password by the link that is shown then. */
export function NewMember() {
  const [opened, dialog] = useDisclosure();
  const [made, setMade] = useState<Reset & { id: string }>();
  const [roles] = useQuery({ query: RolesDocument, pause: !opened });
  const [create] = useAct(CreateUserDocument);
  const navigate = useNavigate();
  const options = (roles.data?.roles ?? []).map((role) => ({ value: role.id, label: role.name }));
  return (
    <>
      <Button onClick={dialog.open}>New member</Button>
      <Modal
        opened={opened}
        onClose={dialog.close}
        title="New member"
        size="lg"
        closeButtonProps={{ "aria-label": "Close" }}
      >
        <Stack>
          <Text size="sm">You are shown a link to send to them, by which they choose a password.</Text>
          <RecordForm
            fields={[
              { name: "email", label: "E-mail", kind: "email", required: true },
              { name: "name", label: "Name", hint: "The address unless given" },
              { name: "roleId", label: "Role", kind: "choice", options, required: true },
            ]}
            submitLabel="Make member"
            cancel={dialog.close}
            save={async (input) => {
              const { data, problem } = await create({ input: input as NewUser });
              if (data?.createUser) {
                const { user, reset } = data.createUser;
                setMade({ ...reset, id: user.id });
                tell(`${user.name} is a member.`);
                dialog.close();
              }
              return problem;
            }}
          />
        </Stack>
      </Modal>
      <ResetDialog
        reset={made}
        close={() => {
          setMade(undefined);
          void navigate({ to: `/settings/users/${made?.id}` });
        }}
      />
    </>
  );
}
