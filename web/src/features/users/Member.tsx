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
import { complain, report, tell, useAct } from "../../gql/act";
import { graphQuery } from "../../gql/client";
import {
  DisableUserDocument,
  DropUserSecondFactorDocument,
  EnableUserDocument,
  EndUserSessionsDocument,
  type MemberFragment,
  ResetUserPasswordDocument,
  RolesDocument,
  UpdateUserDocument,
  UserDocument,
} from "../../gql/documents";
import { stateOf } from "./Members";
import { type Reset, ResetDialog } from "./ResetDialog";

/** Member is one member of staff, and what can be done for them or against them. */
export function Member() {
  const { id } = useParams({ strict: false }) as { id: string };
  const result = useQuery(graphQuery(UserDocument, { id }));
  return (
    <Loaded what="user" record={result.data?.user} error={result.error} retry={result.refetch}>
      {(member) => (
        <Stack>
          <PageHeader
            title={member.name}
            parent={{ to: "/settings/users", title: "Users" }}
            beside={stateOf(member)}
            actions={<Edit of={member} />}
          />
          <Section title="Details">
            <Fields
              label="Details"
              of={[
                ["E-mail", member.email],
                ["Role", member.role?.name],
                ["Second factor", member.secondFactor ? "On" : "Off"],
                ["Last sign-in", <Instant key="login" at={member.lastLoginAt} />],
                [
                  "Password chosen",
                  member.passwordChangedAt ? <Instant key="password" at={member.passwordChangedAt} /> : "Not yet",
                ],
                ["Made", <Instant key="made" at={member.createdAt} />],
                ["Last change", <Instant key="updated" at={member.updatedAt} />],
              ]}
            />
          </Section>
          <Access of={member} />
        </Stack>
      )}
    </Loaded>
  );
}

function Edit({ of: member }: { of: MemberFragment }) {
  const roles = useQuery(graphQuery(RolesDocument, {}));
  const [update] = useAct(UpdateUserDocument);
  const options = (roles.data?.roles ?? []).map((role) => ({ value: role.id, label: role.name }));
  return (
    <FormDialog
      label="Edit"
      title="Edit member"
      fields={[
        { name: "name", label: "Name", required: true },
        { name: "roleId", label: "Role", kind: "choice", options, required: true },
      ]}
      initial={member}
      submitLabel="Save"
      save={async (input) => {
        const { problem } = await update({ id: member.id, input });
        if (!problem) {
          tell("The member is saved.");
        }
        return problem;
      }}
    />
  );
}

/** Access is what lets a member in, and what keeps them out. */
function Access({ of: member }: { of: MemberFragment }) {
  const [reset, setReset] = useState<Reset>();
  const [disable] = useAct(DisableUserDocument);
  const [enable] = useAct(EnableUserDocument);
  const [resetPassword] = useAct(ResetUserPasswordDocument);
  const [drop] = useAct(DropUserSecondFactorDocument);
  const [endSessions] = useAct(EndUserSessionsDocument);
  const { id } = member;
  return (
    <Section title="Access">
      <Fields
        label="Access"
        of={[
          [
            "Password",
            <ConfirmButton
              key="reset"
              size="xs"
              label="Link to choose a password"
              consequence="The link is mailed to the member. Where this installation sends no mail, it is shown to you, once, and for 30 days you and they cannot approve what the other makes. Their password works until the link is used."
              run={async () => {
                const { data, problem } = await resetPassword({ id });
                if (problem) {
                  complain(problem);
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
              consequence={`${member.name} is signed out everywhere, and may sign in again.`}
              run={async () => {
                const { data, problem } = await endSessions({ id });
                if (problem) {
                  complain(problem);
                } else {
                  tell(
                    data.endUserSessions === 1
                      ? "One session is ended."
                      : `${data.endUserSessions} sessions are ended.`,
                  );
                }
              }}
            />,
          ],
          [
            "Second factor",
            member.secondFactor ? (
              <ConfirmButton
                key="factor"
                size="xs"
                danger
                label="Take away"
                consequence={`${member.name} signs in with the password alone until another is set up. For somebody who has lost phone and recovery codes.`}
                run={() => report(drop({ id }), "The second factor is taken away.")}
              />
            ) : (
              "None to take away"
            ),
          ],
          [
            "Signing in",
            member.isActive ? (
              <ConfirmButton
                key="disable"
                size="xs"
                danger
                label="Disable"
                consequence={`${member.name} is signed out everywhere and can sign in no more. What they did stays theirs.`}
                run={() => report(disable({ id }), `${member.name} can sign in no more.`)}
              />
            ) : (
              <Button
                key="enable"
                size="xs"
                variant="default"
                onClick={() => void report(enable({ id }), `${member.name} can sign in again.`)}
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
