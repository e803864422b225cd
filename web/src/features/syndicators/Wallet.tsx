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
      <Move
        label="Deposit"
        explains={`Money received from ${name}. Participations are paid from the wallet when deals fund.`}
        said={(sum) => `${sum} deposited for ${name}.`}
        run={(input) => deposit({ id, input })}
      />
      <Move
        label="Withdraw"
        explains={`Money paid out to ${name} from the wallet${wallet === undefined ? "" : `, up to ${money(wallet)}`}.`}
        said={(sum) => `${sum} withdrawn for ${name}.`}
        run={(input) => withdraw({ id, input })}
      />
    </>
  );
}

function Move({
  label,
  explains,
  said,
  run,
}: {
  label: string;
  explains: string;
  said: (sum: string) => string;
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
          showSuccess(said(money(input.amount)));
        }
        return problem;
      }}
    >
      <Text size="sm">{explains}</Text>
    </FormDialog>
  );
}
