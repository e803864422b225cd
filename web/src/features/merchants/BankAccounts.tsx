import { Anchor, Group, Table, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { ConfirmButton } from "../../components/ConfirmButton";
import { FormDialog } from "../../components/FormDialog";
import { humanize, none } from "../../components/format";
import { Instant } from "../../components/Instant";
import { Loaded } from "../../components/Loaded";
import type { FormField } from "../../components/RecordForm";
import { Section } from "../../components/Section";
import { SmallTable } from "../../components/SmallTable";
import { StateBadge } from "../../components/StateBadge";
import { graphQuery } from "../../gql/client";
import {
  AddBankAccountDocument,
  type BankAccountTokenAccountType,
  MerchantBankAccountsDocument,
  type MerchantBankAccountsQuery,
  type NewBankAccount,
  RevokeBankAccountDocument,
  VerifyBankAccountDocument,
} from "../../gql/documents";
import { showOutcome, showSuccess, useGraphMutation } from "../../gql/mutation";
import { useCan } from "../../session/permissions";

type Account = NonNullable<NonNullable<MerchantBankAccountsQuery["merchant"]>["bankAccounts"]>[number];

const kinds = (["CHECKING", "SAVINGS"] as const satisfies readonly BankAccountTokenAccountType[]).map((value) => ({
  value,
  label: humanize(value),
}));

const fields: FormField[] = [
  { name: "holderName", label: "Account holder", required: true },
  { name: "bankName", label: "Bank" },
  { name: "routingNumber", label: "Routing number", required: true, hint: "Nine digits" },
  {
    name: "accountNumber",
    label: "Account number",
    required: true,
    hint: "Encrypted; only the last four digits are shown",
  },
  { name: "accountType", label: "Account type", kind: "choice", options: kinds, hint: "Default: checking" },
];

/** A merchant's bank accounts. A deal funds to a verified one only. */
export function BankAccounts({ merchant }: { merchant: { id: string; legalName: string } }) {
  const can = useCan();
  const result = useQuery({
    ...graphQuery(MerchantBankAccountsDocument, { id: merchant.id }),
    enabled: can("payments:read"),
  });
  if (!can("payments:read")) {
    return null;
  }
  const canWrite = can("payments:write");
  return (
    <Section title="Bank accounts" actions={canWrite && <AddAccount merchant={merchant} />}>
      <Loaded
        noun="bank accounts"
        record={result.data?.merchant?.bankAccounts}
        error={result.error}
        retry={result.refetch}
      >
        {(accounts) =>
          accounts.length === 0 ? (
            <Text c="dimmed">No bank accounts yet. Funding requires a verified account.</Text>
          ) : (
            <AccountTable accounts={accounts} canWrite={canWrite} />
          )
        }
      </Loaded>
    </Section>
  );
}

function AddAccount({ merchant }: { merchant: { id: string; legalName: string } }) {
  const [add] = useGraphMutation(AddBankAccountDocument);
  const defaults = { holderName: merchant.legalName };
  return (
    <FormDialog
      label="Add account"
      title="Add bank account"
      size="xs"
      fields={fields}
      initial={defaults}
      submitLabel="Add"
      save={async (changes) => {
        const { data, problem } = await add({
          input: { ...defaults, ...changes, merchantId: merchant.id } as NewBankAccount,
        });
        if (!problem) {
          showSuccess(`Account ending in ${data.addBankAccount?.last4} added. Verify it before funding.`);
        }
        return problem;
      }}
    />
  );
}

function AccountTable({ accounts, canWrite }: { accounts: Account[]; canWrite: boolean }) {
  return (
    <SmallTable
      label="Bank accounts"
      verticalSpacing={6}
      region="Table of bank accounts"
      minWidth={620}
      head={
        <>
          <Table.Th>Account</Table.Th>
          <Table.Th>Account holder</Table.Th>
          <Table.Th>For</Table.Th>
          <Table.Th>Status</Table.Th>
          <Table.Th>Added</Table.Th>
          {canWrite && <Table.Th>Actions</Table.Th>}
        </>
      }
    >
      {accounts.map((a) => (
        <Table.Tr key={a.id}>
          <Table.Td>
            {humanize(a.accountType)} ending in {a.last4}
            <Text size="xs" c="dimmed">
              {[a.bankName, a.routingNumber].filter(Boolean).join(", ")}
            </Text>
          </Table.Td>
          <Table.Td>{a.holderName ?? none}</Table.Td>
          <Table.Td>
            {a.deal ? (
              <Anchor component={Link} to={`/deals/${a.deal.id}`}>
                {a.deal.dealNumber}
              </Anchor>
            ) : (
              "All deals"
            )}
          </Table.Td>
          <Table.Td>
            <StateBadge state={a.status} />
          </Table.Td>
          <Table.Td>
            <Instant at={a.revokedAt ?? a.verifiedAt ?? a.createdAt} />
          </Table.Td>
          {canWrite && (
            <Table.Td>
              <AccountActions account={a} />
            </Table.Td>
          )}
        </Table.Tr>
      ))}
    </SmallTable>
  );
}

function AccountActions({ account: a }: { account: Account }) {
  const [verify] = useGraphMutation(VerifyBankAccountDocument);
  const [revoke] = useGraphMutation(RevokeBankAccountDocument);
  const name = `the account ending in ${a.last4}`;
  return (
    <Group gap={6}>
      {a.status === "UNVERIFIED" && (
        <ConfirmButton
          label="Mark verified"
          name={`Mark verified: ${name}`}
          size="xs"
          consequence="Confirms, by a voided check or the bank, that the account belongs to the merchant. It can receive funds from now on."
          run={() => showOutcome(verify({ id: a.id }), "Account verified.")}
        />
      )}
      {a.status !== "REVOKED" && (
        <ConfirmButton
          label="Revoke"
          name={`Revoke ${name}`}
          size="xs"
          danger
          consequence="The account can no longer be used. To use it again, add it again."
          run={() => showOutcome(revoke({ id: a.id }), "Account revoked.")}
        />
      )}
    </Group>
  );
}
