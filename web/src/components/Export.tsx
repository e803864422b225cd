import { ActionIcon, Button, Group, Text, Tooltip } from "@mantine/core";
import { Download } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { complain } from "../gql/act";
import { Problem } from "../session/auth";
import { csvOf, save } from "./csv";
import { count } from "./format";

type Cell = string | number | null | undefined;

/** Page is a part of what is saved, and where the next begins; null after the last. */
export type Page = { rows: Cell[][]; next: string | null; total?: number };

type Props = {
  /** What the rows are, in small letters and the plural; the file is named after it. */
  name: string;
  titles: string[];
  /** Reads the page that begins after a cursor. It throws the Problem that it fails of. */
  page: (after: string | null) => Page | Promise<Page>;
};

/** Export saves a whole list as comma separated values. It says how far it has come, and can be stopped. */
export function Export({ name, titles, page }: Props) {
  const [progress, setProgress] = useState<{ done: number; total: number | undefined }>();
  // Which run is under way: one that was stopped, or whose screen is gone, saves nothing.
  const run = useRef(0);
  const stop = () => {
    run.current++;
    setProgress(undefined);
  };
  useEffect(
    () => () => {
      run.current++;
    },
    [],
  );
  const start = async () => {
    const mine = ++run.current;
    const rows: Cell[][] = [titles];
    setProgress({ done: 0, total: undefined });
    try {
      let after: string | null = null;
      do {
        const part: Page = await page(after);
        if (run.current !== mine) {
          return;
        }
        rows.push(...part.rows);
        after = part.next;
        setProgress({ done: rows.length - 1, total: part.total });
      } while (after);
      save(`${name.replaceAll(" ", "-")}.csv`, csvOf(rows));
    } catch (error) {
      if (!(error instanceof Problem)) {
        throw error;
      }
      if (run.current !== mine) {
        return;
      }
      complain(error);
    }
    setProgress(undefined);
  };
  if (progress) {
    return (
      <Group gap="xs" wrap="nowrap">
        <Text size="sm" role="status">
          {count(progress.done)} {progress.total === undefined ? "" : `of ${count(progress.total)} `}read
        </Text>
        <Button size="compact-sm" variant="default" onClick={stop} aria-label={`Stop saving ${name}`}>
          Stop
        </Button>
      </Group>
    );
  }
  return (
    <Tooltip label="Save all of it as CSV">
      <ActionIcon variant="default" size="lg" aria-label={`Save ${name} as CSV`} onClick={() => void start()}>
        <Download size={16} aria-hidden />
      </ActionIcon>
    </Tooltip>
  );
}
