import { Kbd, Modal, Table } from "@mantine/core";
import { useDisclosure } from "@mantine/hooks";
import { useNavigate } from "@tanstack/react-router";
import { useEffect } from "react";
import { useCan } from "../session/permissions";
import { places } from "./Navigation";

/** Where a key leads after g. */
const ways: Record<string, string> = {
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
const patience = 1500;

/** Reports whether a key press is text input or a browser shortcut. */
function isTyping(event: KeyboardEvent): boolean {
  const at = event.target instanceof HTMLElement ? event.target : null;
  return (
    event.ctrlKey ||
    event.metaKey ||
    event.altKey ||
    !!at?.closest("input, textarea, select, [contenteditable], [role=dialog]")
  );
}

/** Handles the global keyboard shortcuts, and lists them. */
export function Shortcuts() {
  const [opened, help] = useDisclosure();
  const navigate = useNavigate();
  const { open } = help;
  useEffect(() => {
    let since = 0;
    const press = (event: KeyboardEvent) => {
      if (isTyping(event)) {
        return;
      }
      const way = event.timeStamp - since < patience ? ways[event.key] : undefined;
      since = event.key === "g" ? event.timeStamp : 0;
      const search = document.querySelector<HTMLInputElement>("input[type=search]");
      if (way) {
        void navigate({ to: way });
      } else if (event.key === "/" && search) {
        event.preventDefault();
        search.focus();
      } else if (event.key === "?") {
        open();
      }
    };
    document.addEventListener("keydown", press);
    return () => document.removeEventListener("keydown", press);
  }, [navigate, open]);
  return (
    <Modal opened={opened} onClose={help.close} title="Keyboard shortcuts" closeButtonProps={{ "aria-label": "Close" }}>
      <Keys />
    </Modal>
  );
}

function Keys() {
  const can = useCan();
  const known = places.filter((p) => Object.values(ways).includes(p.to) && (!p.needs || can(p.needs)));
  const rows: [keys: string[], what: string][] = [
    [["/"], "Search the list"],
    ...known.map((p): [string[], string] => [
      ["g", Object.keys(ways).find((key) => ways[key] === p.to) ?? ""],
      p.title,
    ]),
    [["↑", "↓"], "Move between rows"],
    [["Enter"], "Open the selected item"],
    [["?"], "Show shortcuts"],
  ];
  return (
    <Table aria-label="Keys">
      <Table.Tbody>
        {rows.map(([keys, what]) => (
          <Table.Tr key={what}>
            <Table.Td>
              {keys.map((key) => (
                <Kbd key={key} mr={4}>
                  {key}
                </Kbd>
              ))}
            </Table.Td>
            <Table.Td>{what}</Table.Td>
          </Table.Tr>
        ))}
      </Table.Tbody>
    </Table>
  );
}
