import { ActionIcon, Menu } from "@mantine/core";
import { Ellipsis } from "lucide-react";

type Props<Act extends string> = {
  /** Accessible name of the menu. */
  label: string;
  acts: readonly Act[];
  names: Record<Act, string>;
  choose: (act: Act) => void;
};

/** The actions menu of a row. */
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
