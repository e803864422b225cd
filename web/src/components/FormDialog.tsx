import { Button, type ButtonProps, Modal, Stack } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { type ReactNode, useRef } from "react";
import type { Problem } from "../session/auth";
import { type Changes, type FormField, RecordForm } from "./RecordForm";

type Props = {
  /** Label of the button. */
  label: string;
  /** Accessible name, where several buttons share a label. */
  name?: string;
  /** Title of the dialog. Default: the button's label. */
  title?: string;
  /** Shown above the form. */
  children?: ReactNode;
  fields: FormField[];
  initial?: Record<string, unknown> & { updatedAt?: string };
  submitLabel: string;
  /** Saves the changes, as in RecordForm. The dialog closes unless it returns a problem. */
  save: (changes: Changes, readAt: string | undefined) => Promise<Problem | undefined>;
} & Pick<ButtonProps, "size" | "variant">;

/** A button that opens a form in a dialog. */
export function FormDialog(props: Props) {
  const { label, name, title, children, fields, initial, submitLabel, save, size = "sm", variant = "filled" } = props;
  const [opened, dialog] = useDisclosure();
  // Counts openings, so that a late response does not close a dialog that was reopened.
  const openings = useRef(0);
  const open = () => {
    openings.current++;
    dialog.open();
  };
  return (
    <>
      <Button size={size} variant={variant} onClick={open} aria-label={name}>
        {label}
      </Button>
      <Modal
        opened={opened}
        onClose={dialog.close}
        title={title ?? name ?? label}
        size={fields.length > 12 ? "xl" : fields.length > 2 ? "lg" : "md"}
        closeButtonProps={{ "aria-label": "Close" }}
      >
        <Stack>
          {children}
          <RecordForm
            fields={fields}
            initial={initial}
            submitLabel={submitLabel}
            cancel={dialog.close}
            save={async (changes, readAt) => {
              const thisOpening = openings.current;
              const problem = await save(changes, readAt);
              if (!problem && openings.current === thisOpening) {
                dialog.close();
              }
              return problem;
            }}
          />
        </Stack>
      </Modal>
    </>
  );
}

export const reasonField: FormField = { name: "reason", label: "Reason", kind: "long", required: true };
