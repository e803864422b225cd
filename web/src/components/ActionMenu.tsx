import { ActionIcon, Menu } from "@mantine/core";
import { Ellipsis } from "lucide-react";

type Props<Action extends string> = {
  /** Accessible name of the menu. */
  label: string;
  actions: readonly Action[];
  labels: Record<Action, string>;
  onSelect: (action: Action) => void;
};

/** The actions menu of a row. */
export function ActionMenu<Action extends string>({ label, actions, labels, onSelect }: Props<Action>) {
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="default" aria-label={label}>
          <Ellipsis size={16} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {actions.map((action) => (
          <Menu.Item key={action} onClick={() => onSelect(action)}>
            {labels[action]}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
