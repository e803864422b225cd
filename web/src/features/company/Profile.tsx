import { Group, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { ConfirmButton } from "../../components/ConfirmButton";
import { Fields } from "../../components/Fields";
import { Instant } from "../../components/Instant";
import { Loaded } from "../../components/Loaded";
import { type FormField, RecordForm } from "../../components/RecordForm";
import { SecretDialog } from "../../components/SecretDialog";
import { Section } from "../../components/Section";
import { complain, tell, useAct } from "../../gql/act";
import { graphQuery } from "../../gql/client";
import {
  CompanyDocument,
  type CompanyQuery,
  RotateInboundSecretDocument,
  UpdateCompanyDocument,
} from "../../gql/documents";
import { begin, useSession } from "../../session/session";

type Shown = NonNullable<CompanyQuery["company"]>;

/** The zones that this browser knows, the company's own among them whatever it is. */
function zonesOf(own: string) {
  const known = Intl.supportedValuesOf("timeZone");
  return (known.includes(own) ? known : [own, ...known]).map((value) => ({ value, label: value.replaceAll("_", " ") }));
}

/** Profile is the company's name, its clock, and the secret of what other systems tell it. */
export function Profile() {
  const result = useQuery(graphQuery(CompanyDocument, {}));
  return (
    <Loaded what="company" record={result.data?.company} error={result.error} retry={result.refetch}>
      {(company) => (
        <Stack>
          <Section title="Profile">
            <Edit key={`${company.name} ${company.timeZone}`} company={company} />
            <Fields
              label="Profile"
              of={[
                ["Address", company.host],
                ["Sandbox", company.sandbox ? "Yes: test keys work here, and no money moves" : "No"],
                ["Since", <Instant key="since" at={company.createdAt} />],
              ]}
            />
          </Section>
          <Inbound isSet={company.inboundSecretSet ?? false} />
        </Stack>
      )}
    </Loaded>
  );
}

function Edit({ company }: { company: Shown }) {
  const session = useSession();
  const [update] = useAct(UpdateCompanyDocument);
  const fields: FormField[] = [
    { name: "name", label: "Name", required: true, hint: "At the head of what applicants and merchants see" },
    {
      name: "timeZone",
      label: "Time zone",
      kind: "choice",
      options: zonesOf(company.timeZone),
      required: true,
      hint: "Decides when a day begins, and the times that you see",
    },
  ];
  return (
    <RecordForm
      fields={fields}
      initial={company}
      submitLabel="Save"
      save={async (input) => {
        const { data, problem } = await update({ input });
        if (data?.updateCompany) {
          const { name, timeZone } = data.updateCompany;
          begin({ ...session, tenant: { ...session.tenant, name, timeZone } });
          tell("The company is saved.");
        }
        return problem;
      }}
    />
  );
}

function Inbound({ isSet }: { isSet: boolean }) {
  const [secret, setSecret] = useState<string>();
  const [rotate] = useAct(RotateInboundSecretDocument);
  return (
    <Section title="Inbound events">
      <Text size="sm" c="dimmed">
        {isSet
          ? "What payment processors, signature services and your own systems tell paydown must be signed with the secret."
          : "There is no secret yet, and so whatever other systems tell paydown is refused."}
      </Text>
      <Group>
        <ConfirmButton
          label={isSet ? "New secret" : "Make a secret"}
          consequence={
            isSet
              ? "The secret before is good no more: whatever is signed with it is refused from now on."
              : "The secret is shown once. Whoever tells paydown of events signs them with it."
          }
          danger={isSet}
          run={async () => {
            const { data, problem } = await rotate({});
            if (problem) {
              complain(problem);
            }
            setSecret(data?.rotateInboundSecret?.secret);
          }}
        />
      </Group>
      <SecretDialog
        title="The secret of inbound events"
        what="Inbound events are signed with it."
        secret={secret}
        close={() => setSecret(undefined)}
      />
    </Section>
  );
}
