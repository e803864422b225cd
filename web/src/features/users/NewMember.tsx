import { Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { FormDialog } from "../../components/FormDialog";
import { useGo } from "../../components/useGo";
import { tell, useAct } from "../../gql/act";
import { graphQuery } from "../../gql/client";
import { CreateUserDocument, type NewUser, RolesDocument } from "../../gql/documents";
import { type Reset, ResetDialog } from "./ResetDialog";

/** NewMember makes a member of staff, who chooses a password by a link: mailed to them, or shown where there is no mail server. */
export function NewMember() {
  const [made, setMade] = useState<Reset & { id: string }>();
  const roles = useQuery(graphQuery(RolesDocument, {}));
  const [create] = useAct(CreateUserDocument);
  const navigate = useGo();
  const options = (roles.data?.roles ?? []).map((role) => ({ value: role.id, label: role.name }));
  return (
    <>
      <FormDialog
        label="New member"
        fields={[
          { name: "email", label: "E-mail", kind: "email", required: true },
          { name: "name", label: "Name", hint: "The address unless given" },
          { name: "roleId", label: "Role", kind: "choice", options, required: true },
        ]}
        submitLabel="Make member"
        save={async (input) => {
          const { data, problem } = await create({ input: input as NewUser });
          if (data?.createUser) {
            const { user, reset } = data.createUser;
            tell(`${user.name} is a member.`);
            setMade({ ...reset, id: user.id });
          }
          return problem;
        }}
      >
        <Text size="sm">
          They choose a password by a link, which is mailed to them. Where this installation sends no mail, you are
          shown the link instead. For 30 days you and they cannot approve what the other makes.
        </Text>
      </FormDialog>
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
