import { Text } from "@mantine/core";
import { FormDialog } from "../../components/FormDialog";
import { money } from "../../components/format";
import type { FormField } from "../../components/RecordForm";
import { DepositToWalletDocument, type WalletMove, WithdrawFromWalletDocument } from "../../gql/documents";
import { type Outcome, showSuccess, useGraphMutation } from "../../gql/mutation";

const fields: FormField[] = [
  { name: "amount", label: "Amount", kind: "money", required: true },
  { name: "referenceId", label: "Bank reference" },
];

type Props = { id: string; name: string; wallet: string | undefined };

/** Records deposits and withdrawals. */
export function WalletButtons({ id, name, wallet }: Props) {
  const [deposit] = useGraphMutation(DepositToWalletDocument);
  const [withdraw] = useGraphMutation(WithdrawFromWalletDocument);
  return (
    <>
      <WalletDialog
        label="Deposit"
        description={`Money received from ${name}. Participations are paid from the wallet when deals fund.`}
        message={(sum) => `${sum} deposited for ${name}.`}
        run={(input) => deposit({ id, input })}
      />
      <WalletDialog
        label="Withdraw"
        description={`Money paid out to ${name} from the wallet${wallet === undefined ? "" : `, up to ${money(wallet)}`}.`}
        message={(sum) => `${sum} withdrawn for ${name}.`}
        run={(input) => withdraw({ id, input })}
      />
    </>
  );
}

function WalletDialog({
  label,
  description,
  message,
  run,
}: {
  label: string;
  description: string;
  message: (sum: string) => string;
  run: (input: WalletMove) => Promise<Outcome<unknown>>;
}) {
  return (
    <FormDialog
      label={label}
      variant="default"
      fields={fields}
      submitLabel={label}
      save={async (changes) => {
        const input = changes as WalletMove;
        const { problem } = await run(input);
        if (!problem) {
          showSuccess(message(money(input.amount)));
        }
        return problem;
      }}
    >
      <Text size="sm">{description}</Text>
    </FormDialog>
  );
}
