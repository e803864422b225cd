import { Button, type ButtonProps, Modal, Stack } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { type ReactNode, useRef } from "react";
import type { Problem } from "../session/auth";
import { type Changes, type FormField, RecordForm } from "./RecordForm";

type Props = {
  /** What the button says. */
  label: string;
  /** Names the button where many on the screen say the same. */
  name?: string;
  /** What the dialog is called; as its button unless given. */
  title?: string;
  /** Stands above the form. */
  children?: ReactNode;
  fields: FormField[];
  initial?: Record<string, unknown> & { updatedAt?: string };
  submitLabel: string;
  /** Saves what was changed, as RecordForm has it, and returns the problem if that was refused; otherwise the dialog closes. */
  save: (changes: Changes, readAt: string | undefined) => Promise<Problem | undefined>;
} & Pick<ButtonProps, "size" | "variant">;

/** FormDialog is a button that opens a form. */
export function FormDialog(props: Props) {
  const { label, name, title, children, fields, initial, submitLabel, save, size = "sm", variant = "filled" } = props;
  const [opened, dialog] = useDisclosure();
  // How often it was opened: what one saves late does not close the next.
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
              const mine = openings.current;
              const problem = await save(changes, readAt);
              if (!problem && openings.current === mine) {
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

/** What one has to say why. */
export const reasonField: FormField = { name: "reason", label: "Reason", kind: "long", required: true };
