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
import { graphQuery } from "../../gql/client";
import {
  CompanyDocument,
  type CompanyQuery,
  RotateInboundSecretDocument,
  UpdateCompanyDocument,
} from "../../gql/documents";
import { showProblem, showSuccess, useGraphMutation } from "../../gql/mutation";
import { startSession, useSession } from "../../session/session";

type CompanyData = NonNullable<CompanyQuery["company"]>;

/** The time zones that this browser knows, plus the company's own. */
function zoneOptions(own: string) {
  const known = Intl.supportedValuesOf("timeZone");
  return (known.includes(own) ? known : [own, ...known]).map((value) => ({ value, label: value.replaceAll("_", " ") }));
}

/** The company's name, time zone and secret for inbound events. */
export function Profile() {
  const result = useQuery(graphQuery(CompanyDocument, {}));
  return (
    <Loaded noun="company" record={result.data?.company} error={result.error} retry={result.refetch}>
      {(company) => (
        <Stack>
          <Section title="Profile">
            <ProfileForm key={`${company.name} ${company.timeZone}`} company={company} />
            <Fields
              label="Profile"
              items={[
                ["Address", company.host],
                ["Sandbox", company.sandbox ? "Yes. Test keys only; no money moves" : "No"],
                ["Created", <Instant key="since" at={company.createdAt} />],
              ]}
            />
          </Section>
          <InboundSecret isSet={company.inboundSecretSet ?? false} />
        </Stack>
      )}
    </Loaded>
  );
}

function ProfileForm({ company }: { company: CompanyData }) {
  const session = useSession();
  const [update] = useGraphMutation(UpdateCompanyDocument);
  const fields: FormField[] = [
    { name: "name", label: "Name", required: true, hint: "Shown to applicants and merchants" },
    {
      name: "timeZone",
      label: "Time zone",
      kind: "choice",
      options: zoneOptions(company.timeZone),
      required: true,
      hint: "Sets when a business day starts and how times are shown",
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
          startSession({ ...session, tenant: { ...session.tenant, name, timeZone } });
          showSuccess("Company saved.");
        }
        return problem;
      }}
    />
  );
}

function InboundSecret({ isSet }: { isSet: boolean }) {
  const [secret, setSecret] = useState<string>();
  const [rotate] = useGraphMutation(RotateInboundSecretDocument);
  return (
    <Section title="Inbound events">
      <Text size="sm" c="dimmed">
        {isSet
          ? "Events from payment processors, e-signature services and your own systems must be signed with the secret."
          : "No secret yet. Inbound events are rejected until you create one."}
      </Text>
      <Group>
        <ConfirmButton
          label={isSet ? "New secret" : "Create secret"}
          consequence={
            isSet
              ? "The previous secret stops working immediately."
              : "The secret is shown once. Senders sign their events with it."
          }
          danger={isSet}
          run={async () => {
            const { data, problem } = await rotate({});
            if (problem) {
              showProblem(problem);
            }
            setSecret(data?.rotateInboundSecret?.secret);
          }}
        />
      </Group>
      <SecretDialog
        title="Inbound event secret"
        description="Sign inbound events with it."
        secret={secret}
        close={() => setSecret(undefined)}
      />
    </Section>
  );
}
