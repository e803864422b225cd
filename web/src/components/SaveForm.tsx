import { Button, Group, Stack } from "@mantine/core";
import { type FormEvent, type ReactNode, useState } from "react";
import { showProblem, useIsUnmounted } from "../gql/mutation";
import type { Problem } from "../session/auth";
import { FormError, fieldError } from "./FormError";

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
  const isUnmounted = useIsUnmounted();
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    setBusy(true);
    const failure = await save();
    if (failure && isUnmounted()) {
      showProblem(failure);
    }
    setProblem(failure);
    setBusy(false);
  };
  return (
    <form onSubmit={(event) => void submit(event)}>
      <Stack>
        {children((field) => fieldError(problem, field))}
        <FormError problem={problem} fields={fields} />
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
