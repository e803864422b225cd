import { Kbd, Modal, Table } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useNavigate } from "@tanstack/react-router";
import { useEffect } from "react";
import { useCan } from "../session/permissions";
import { navItems } from "./Navigation";

/** Where a key leads after g. */
const destinations: Record<string, string> = {
  h: "/",
  a: "/applications",
  l: "/leads",
  m: "/merchants",
  d: "/deals",
  p: "/payments",
  o: "/payouts",
  r: "/renewals",
  s: "/syndicators",
  w: "/settings/webhooks",
};

/** How long after g the second key counts, in milliseconds. */
const sequenceTimeout = 1500;

/** Reports whether a key press is text input or a browser shortcut. */
function isTyping(event: KeyboardEvent): boolean {
  const target = event.target instanceof HTMLElement ? event.target : null;
  return (
    event.ctrlKey ||
    event.metaKey ||
    event.altKey ||
    !!target?.closest("input, textarea, select, [contenteditable], [role=dialog]")
  );
}

/** Handles the global keyboard shortcuts, and lists them. */
export function Shortcuts() {
  const [opened, help] = useDisclosure();
  const navigate = useNavigate();
  const { open } = help;
  useEffect(() => {
    let pressedAt = 0;
    const onKeyDown = (event: KeyboardEvent) => {
      if (isTyping(event)) {
        return;
      }
      const destination = event.timeStamp - pressedAt < sequenceTimeout ? destinations[event.key] : undefined;
      pressedAt = event.key === "g" ? event.timeStamp : 0;
      const search = document.querySelector<HTMLInputElement>("input[type=search]");
      if (destination) {
        void navigate({ to: destination });
      } else if (event.key === "/" && search) {
        event.preventDefault();
        search.focus();
      } else if (event.key === "?") {
        open();
      }
    };
    document.addEventListener("keydown", onKeyDown);
    return () => document.removeEventListener("keydown", onKeyDown);
  }, [navigate, open]);
  return (
    <Modal opened={opened} onClose={help.close} title="Keyboard shortcuts" closeButtonProps={{ "aria-label": "Close" }}>
      <ShortcutTable />
    </Modal>
  );
}

function ShortcutTable() {
  const can = useCan();
  const items = navItems.filter(
    (p) => Object.values(destinations).includes(p.to) && (!p.permission || can(p.permission)),
  );
  const rows: [keys: string[], title: string][] = [
    [["/"], "Search the list"],
    ...items.map((p): [string[], string] => [
      ["g", Object.keys(destinations).find((key) => destinations[key] === p.to) ?? ""],
      p.title,
    ]),
    [["↑", "↓"], "Move between rows"],
    [["Enter"], "Open the selected item"],
    [["?"], "Show shortcuts"],
  ];
  return (
    <Table aria-label="Keys">
      <Table.Tbody>
        {rows.map(([keys, title]) => (
          <Table.Tr key={title}>
            <Table.Td>
              {keys.map((key) => (
                <Kbd key={key} mr={4}>
                  {key}
                </Kbd>
              ))}
            </Table.Td>
            <Table.Td>{title}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
