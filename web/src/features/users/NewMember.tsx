import { Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { FormDialog } from "../../components/FormDialog";
import { useSafeNavigate } from "../../components/useSafeNavigate";
import { graphQuery } from "../../gql/client";
import { CreateUserDocument, type NewUser, RolesDocument } from "../../gql/documents";
import { showSuccess, useGraphMutation } from "../../gql/mutation";
import { type Reset, ResetDialog } from "./ResetDialog";

/**
 * Adds a member of staff. The member sets a password with a link, which is emailed or, without a mail server, shown.
 */
export function NewMember() {
  const [created, setCreated] = useState<Reset & { id: string }>();
  const roles = useQuery(graphQuery(RolesDocument, {}));
  const [create] = useGraphMutation(CreateUserDocument);
  const navigate = useSafeNavigate();
  const options = (roles.data?.roles ?? []).map((role) => ({ value: role.id, label: role.name }));
  return (
    <>
      <FormDialog
        label="Add user"
        fields={[
          { name: "email", label: "Email", kind: "email", required: true },
          { name: "name", label: "Name", hint: "Default: the email address" },
          { name: "roleId", label: "Role", kind: "choice", options, required: true },
        ]}
        submitLabel="Add user"
        save={async (input) => {
          const { data, problem } = await create({ input: input as NewUser });
          if (data?.createUser) {
            const { user, reset } = data.createUser;
            showSuccess(`${user.name} added.`);
            setCreated({ ...reset, id: user.id });
          }
          return problem;
        }}
      >
        <Text size="sm">
          They set a password through an emailed link. If this server does not send email, you are shown the link
          instead. For 30 days you cannot approve what each other creates.
        </Text>
      </FormDialog>
      <ResetDialog
        reset={created}
        close={() => {
          setCreated(undefined);
          void navigate({ to: `/settings/users/${created?.id}` });
        }}
      />
    </>
  );
}
