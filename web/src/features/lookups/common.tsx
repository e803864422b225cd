import type { FormField } from "../../components/RecordForm";
import { StateBadge } from "../../components/StateBadge";

export const nameField: FormField = { name: "name", label: "Name", required: true };
export const activeField: FormField = {
  name: "isActive",
  label: "Active",
  kind: "switch",
  hint: "Available for selection",
};
export const codeField: FormField = {
  name: "code",
  label: "Code",
  required: true,
  hint: "Capital letters, digits and underscores. Used by rules and integrations; cannot be changed later",
};

/** Shows whether an entry is offered to staff. */
export const ActiveBadge = ({ on }: { on: boolean }) => (
  <StateBadge state={on ? "ACTIVE" : "OFF"} label={on ? "Active" : "Inactive"} />
);
