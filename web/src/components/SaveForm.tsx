import { Button, Group, Stack } from "@mantine/core";
import { type FormEvent, type ReactNode, useState } from "react";
import { showProblem, useUnmounted } from "../gql/mutation";
import type { Problem } from "../session/auth";
import { Refused, saidOf } from "./Refused";

type Props = {
  submitLabel: string;
  /** Fields that show their own errors. */
  fields: readonly string[];
  save: () => Promise<Problem | undefined>;
  cancel: () => void;
  /** Renders the fields. errorOf returns the error of a field or of one of its entries. */
  children: (errorOf: (field: string) => string | undefined) => ReactNode;
};

/** A form with save and cancel. It shows why saving failed, even after it was closed. */
export function SaveForm({ submitLabel, fields, save, cancel, children }: Props) {
  const [problem, setProblem] = useState<Problem>();
  const [busy, setBusy] = useState(false);
  const gone = useUnmounted();
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    const refused = await save();
    if (refused && gone()) {
      showProblem(refused);
    }
    setProblem(refused);
    setBusy(false);
  };
  return (
    <form onSubmit={(event) => void submit(event)}>
      <Stack>
        {children((field) => saidOf(problem, field))}
        <Refused problem={problem} fields={fields} />
        <Group justify="flex-end">
          <Button variant="default" onClick={cancel}>
            Cancel
          </Button>
          <Button type="submit" loading={busy}>
            {submitLabel}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
