import { Button, Stack } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useParams } from "@tanstack/react-router";
import { useState } from "react";
import { ConfirmButton } from "../../components/ConfirmButton";
import { Fields } from "../../components/Fields";
import { FormDialog } from "../../components/FormDialog";
import { Instant } from "../../components/Instant";
import { Loaded } from "../../components/Loaded";
import { PageHeader } from "../../components/PageHeader";
import { Section } from "../../components/Section";
import { graphQuery } from "../../gql/client";
import {
  DisableUserDocument,
  DropUserSecondFactorDocument,
  EnableUserDocument,
  EndUserSessionsDocument,
  ResetUserPasswordDocument,
  RolesDocument,
  UpdateUserDocument,
  UserDocument,
  type UserFieldsFragment,
} from "../../gql/documents";
import { showOutcome, showProblem, showSuccess, useGraphMutation } from "../../gql/mutation";
import { stateOf } from "./Members";
import { type Reset, ResetDialog } from "./ResetDialog";

/** The page of a member of staff. */
export function Member() {
  const { id } = useParams({ strict: false }) as { id: string };
  const result = useQuery(graphQuery(UserDocument, { id }));
  return (
    <Loaded noun="user" record={result.data?.user} error={result.error} retry={result.refetch}>
      {(member) => (
        <Stack>
          <PageHeader
            title={member.name}
            parent={{ to: "/settings/users", title: "Users" }}
            titleExtra={stateOf(member)}
            actions={<EditMember member={member} />}
          />
          <Section title="Details">
            <Fields
              label="Details"
              items={[
                ["Email", member.email],
                ["Role", member.role?.name],
                ["Two-factor authentication", member.secondFactor ? "On" : "Off"],
                ["Last sign-in", <Instant key="login" at={member.lastLoginAt} />],
                [
                  "Password set",
                  member.passwordChangedAt ? <Instant key="password" at={member.passwordChangedAt} /> : "Not yet",
                ],
                ["Created", <Instant key="made" at={member.createdAt} />],
                ["Last updated", <Instant key="updated" at={member.updatedAt} />],
              ]}
            />
          </Section>
          <Access member={member} />
        </Stack>
      )}
    </Loaded>
  );
}

function EditMember({ member }: { member: UserFieldsFragment }) {
  const roles = useQuery(graphQuery(RolesDocument, {}));
  const [update] = useGraphMutation(UpdateUserDocument);
  const options = (roles.data?.roles ?? []).map((role) => ({ value: role.id, label: role.name }));
  return (
    <FormDialog
      label="Edit"
      title="Edit user"
      fields={[
        { name: "name", label: "Name", required: true },
        { name: "roleId", label: "Role", kind: "choice", options, required: true },
      ]}
      initial={member}
      submitLabel="Save"
      save={async (input) => {
        const { problem } = await update({ id: member.id, input });
        if (!problem) {
          showSuccess("User saved.");
        }
        return problem;
      }}
    />
  );
}

/** Shows and changes whether a member can sign in. */
function Access({ member }: { member: UserFieldsFragment }) {
  const [reset, setReset] = useState<Reset>();
  const [disable] = useGraphMutation(DisableUserDocument);
  const [enable] = useGraphMutation(EnableUserDocument);
  const [resetPassword] = useGraphMutation(ResetUserPasswordDocument);
  const [resetSecondFactor] = useGraphMutation(DropUserSecondFactorDocument);
  const [endSessions] = useGraphMutation(EndUserSessionsDocument);
  const { id } = member;
  return (
    <Section title="Access">
      <Fields
        label="Access"
        items={[
          [
            "Password",
            <ConfirmButton
              key="reset"
              size="xs"
              label="Send password link"
              consequence="The link is emailed to the user. If this server does not send email, it is shown to you once, and for 30 days you cannot approve what each other creates. The current password works until the link is used."
              run={async () => {
                const { data, problem } = await resetPassword({ id });
                if (problem) {
                  showProblem(problem);
                }
                setReset(data?.resetUserPassword ?? undefined);
              }}
            />,
          ],
          [
            "Sessions",
            <ConfirmButton
              key="sessions"
              size="xs"
              label="End all sessions"
              consequence={`${member.name} will be signed out everywhere and can sign in again.`}
              run={async () => {
                const { data, problem } = await endSessions({ id });
                if (problem) {
                  showProblem(problem);
                } else {
                  showSuccess(
                    data.endUserSessions === 1 ? "1 session ended." : `${data.endUserSessions} sessions ended.`,
                  );
                }
              }}
            />,
          ],
          [
            "Two-factor authentication",
            member.secondFactor ? (
              <ConfirmButton
                key="factor"
                size="xs"
                danger
                label="Reset"
                consequence={`${member.name} signs in with the password alone until it is set up again. For a user who lost phone and recovery codes.`}
                run={() => showOutcome(resetSecondFactor({ id }), "Two-factor authentication reset.")}
              />
            ) : (
              "Not set up"
            ),
          ],
          [
            "Sign-in",
            member.isActive ? (
              <ConfirmButton
                key="disable"
                size="xs"
                danger
                label="Disable"
                consequence={`${member.name} is signed out everywhere and can no longer sign in. Their history is kept.`}
                run={() => showOutcome(disable({ id }), `${member.name} can no longer sign in.`)}
              />
            ) : (
              <Button
                key="enable"
                size="xs"
                variant="default"
                onClick={() => void showOutcome(enable({ id }), `${member.name} can sign in again.`)}
              >
                Enable
              </Button>
            ),
          ],
        ]}
      />
      <ResetDialog reset={reset} close={() => setReset(undefined)} />
    </Section>
  );
}
