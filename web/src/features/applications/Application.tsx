import { Anchor, Group, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link, useParams } from "@tanstack/react-router";
import { useState } from "react";
import { ActionButton } from "../../components/ActionButton";
import { Fields } from "../../components/Fields";
import { FormDialog } from "../../components/FormDialog";
import { Instant } from "../../components/Instant";
import { Loaded } from "../../components/Loaded";
import { PageHeader } from "../../components/PageHeader";
import type { FormField } from "../../components/RecordForm";
import { Section } from "../../components/Section";
import { StateBadge } from "../../components/StateBadge";
import { useSafeNavigate } from "../../components/useSafeNavigate";
import { graphQuery } from "../../gql/client";
import {
  ApplicationDocument,
  type ApplicationQuery,
  ConvertApplicationDocument,
  SetApplicationStatusDocument,
} from "../../gql/documents";
import { showOutcome, showSuccess, useGraphMutation } from "../../gql/mutation";
import { useCan } from "../../session/permissions";
import { MerchantSelect } from "../deals/MerchantSelect";
import { productOptions } from "../deals/states";
import { type Answers, applicationTitle, formatAnswer, type Question } from "./answers";

type ApplicationData = NonNullable<ApplicationQuery["application"]>;

/** Shows an application, and converts it to a lead, a merchant and a deal. */
export function Application() {
  const { id } = useParams({ strict: false }) as { id: string };
  const result = useQuery(graphQuery(ApplicationDocument, { id }));
  const can = useCan();
  return (
    <Loaded noun="application" record={result.data?.application} error={result.error} retry={result.refetch}>
      {(application) => {
        const questions = (application.form?.fields ?? []) as Question[];
        const answers = application.payload as Answers;
        return (
          <Stack>
            <PageHeader
              title={applicationTitle(questions, answers)}
              parent={{ to: "/applications", title: "Applications" }}
              titleExtra={<StateBadge state={application.status} />}
              actions={can("applications:write") && <Actions application={application} />}
            />
            <Section title="Answers">
              <Fields label="Answers" items={questions.map((f) => [f.label, formatAnswer(f, answers[f.name])])} />
            </Section>
            <Section title="Source">
              <Fields
                label="Source"
                items={[
                  ["Form", application.form?.name],
                  ["Received", <Instant key="in" at={application.createdAt} />],
                  ["IP address", application.ip],
                  [
                    "Converted to",
                    application.lead && (
                      <Anchor key="lead" component={Link} to={`/leads/${application.lead.id}`}>
                        {application.lead.businessName}
                      </Anchor>
                    ),
                  ],
                ]}
              />
            </Section>
          </Stack>
        );
      }}
    </Loaded>
  );
}

function Actions({ application }: { application: ApplicationData }) {
  const can = useCan();
  const [mark] = useGraphMutation(SetApplicationStatusDocument);
  const { id, status } = application;
  if (status === "CONVERTED") {
    return null;
  }
  return (
    <Group gap="xs">
      {can("leads:write") && <Convert id={id} />}
      {status !== "REVIEWED" && (
        <ActionButton
          label="Mark reviewed"
          size="sm"
          run={() => showOutcome(mark({ id, status: "REVIEWED" }), "Application marked as reviewed.")}
        />
      )}
      {status !== "SPAM" && (
        <ActionButton
          label="Mark as spam"
          size="sm"
          run={() => showOutcome(mark({ id, status: "SPAM" }), "Application marked as spam.")}
        />
      )}
    </Group>
  );
}

/** Converts an application by its form's field mapping, then opens the new record. */
function Convert({ id }: { id: string }) {
  const can = useCan();
  const [convert] = useGraphMutation(ConvertApplicationDocument);
  const [merchantId, setMerchantId] = useState<string | null>(null);
  const navigate = useSafeNavigate();
  const fields: FormField[] = [];
  if (can("merchants:write")) {
    fields.push({ name: "merchant", label: "Also create a merchant", kind: "switch" });
    if (can("deals:write")) {
      fields.push(
        { name: "deal", label: "Create a deal", kind: "switch", hint: "Also creates the merchant" },
        {
          name: "productType",
          label: "Product",
          kind: "choice",
          options: productOptions,
          hint: "Default: MCA",
        },
      );
    }
  }
  return (
    <FormDialog
      label="Convert"
      title="Convert application"
      fields={fields}
      submitLabel="Convert application"
      save={async (changes) => {
        const input = { ...changes, ...(merchantId && { merchantId }) };
        const deal = changes.deal === true;
        const merchant = deal || changes.merchant === true || merchantId !== null;
        const { data, problem } = await convert({ id, input, merchant, deal });
        const converted = data?.convertApplication;
        if (converted) {
          showSuccess(
            `${converted.lead?.businessName ?? "The applicant"} was converted to a lead${merchant ? " and a merchant" : ""}.`,
          );
          await navigate({
            to: converted.deal
              ? `/deals/${converted.deal.id}`
              : converted.merchant
                ? `/merchants/${converted.merchant.id}`
                : `/leads/${converted.lead?.id}`,
          });
        }
        return problem;
      }}
    >
      <Text size="sm">Creates a lead from the answers, using the field mapping of the form.</Text>
      {can("merchants:write") && (
        <MerchantSelect label="Existing merchant" value={merchantId} onChange={setMerchantId} />
      )}
    </FormDialog>
  );
}
