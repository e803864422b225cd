import type { FormField } from "../../components/RecordForm";
import { StateBadge } from "../../components/StateBadge";

/** What entries of several lists have in common. */
export const nameField: FormField = { name: "name", label: "Name", required: true };
export const inUseField: FormField = {
  name: "isActive",
  label: "In use",
  kind: "switch",
  hint: "Offered to choose from",
};
export const codeField: FormField = {
  name: "code",
  label: "Code",
  required: true,
  hint: "Capitals, digits and underscores; what rules and other systems call it, for ever",
};

/** InUse says whether an entry is offered. */
export const InUse = ({ on }: { on: boolean }) => (
  <StateBadge state={on ? "ACTIVE" : "OFF"} label={on ? "In use" : "Not in use"} />
);
