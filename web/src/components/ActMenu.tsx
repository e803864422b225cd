import { ActionIcon, Menu } from "@mantine/core";
import { Ellipsis } from "lucide-react";

type Props<Act extends string> = {
  /** Says what the menu is for, and of what. */
  label: string;
  acts: readonly Act[];
  names: Record<Act, string>;
  choose: (act: Act) => void;
};

/** ActMenu offers what can be done about a row, behind three dots. */
export function ActMenu<Act extends string>({ label, acts, names, choose }: Props<Act>) {
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <ActionIcon variant="default" aria-label={label}>
          <Ellipsis size={16} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {acts.map((act) => (
          <Menu.Item key={act} onClick={() => choose(act)}>
            {names[act]}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}
