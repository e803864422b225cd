import { Text } from "@mantine/core";
import { FormDialog } from "../../components/FormDialog";
import { money } from "../../components/format";
import type { FormField } from "../../components/RecordForm";
import { type Outcome, tell, useAct } from "../../gql/act";
import { DepositToWalletDocument, type WalletMove, WithdrawFromWalletDocument } from "../../gql/documents";

const fields: FormField[] = [
  { name: "amount", label: "Amount", kind: "money", required: true },
  { name: "referenceId", label: "Reference of the transfer" },
];

type Props = { id: string; name: string; wallet: string | undefined };

/** WalletButtons book what a syndicator has paid in, and what it draws. */
export function WalletButtons({ id, name, wallet }: Props) {
  const [deposit] = useAct(DepositToWalletDocument);
  const [withdraw] = useAct(WithdrawFromWalletDocument);
  return (
    <>
      <Move
        label="Deposit"
        explains={`Money that ${name} has paid in. Parts of deals are paid for out of the wallet when those are funded.`}
        said={(sum) => `${sum} is in the wallet of ${name}.`}
        run={(input) => deposit({ id, input })}
      />
      <Move
        label="Withdraw"
        explains={`Money that ${name} draws from the wallet${wallet === undefined ? "" : `, at most ${money(wallet)}`}.`}
        said={(sum) => `${sum} is drawn from the wallet of ${name}.`}
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
          tell(said(money(input.amount)));
        }
        return problem;
      }}
    >
      <Text size="sm">{explains}</Text>
    </FormDialog>
  );
}
