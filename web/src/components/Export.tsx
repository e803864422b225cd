import { ActionIcon, Button, Group, Text, Tooltip } from "@mantine/core";
import { Download } from "lucide-react";
import { useEffect, useRef, useState } from "react";
import { showProblem } from "../gql/mutation";
import { Problem } from "../session/auth";
import { downloadFile, toCsv } from "./csv";
import { count } from "./format";

type Cell = string | number | null | undefined;

/** One page of an export. next is the cursor of the next page, null on the last. */
export type Page = { rows: Cell[][]; next: string | null; total?: number };

type Props = {
  /** What the rows are, in lowercase plural. It names the file. */
  name: string;
  titles: string[];
  /** Reads the page after a cursor. Throws a Problem on failure. */
  page: (after: string | null) => Page | Promise<Page>;
};

/** Saves a whole list as CSV. Shows progress and can be stopped. */
export function Export({ name, titles, page }: Props) {
  const [progress, setProgress] = useState<{ done: number; total: number | undefined }>();
  // The current run. A run that was stopped, or whose component was unmounted, saves nothing.
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
    const thisRun = ++run.current;
    const rows: Cell[][] = [titles];
    setProgress({ done: 0, total: undefined });
    try {
      let after: string | null = null;
      do {
        const part: Page = await page(after);
        if (run.current !== thisRun) {
          return;
        }
        rows.push(...part.rows);
        after = part.next;
        setProgress({ done: rows.length - 1, total: part.total });
      } while (after);
      downloadFile(`${name.replaceAll(" ", "-")}.csv`, toCsv(rows));
    } catch (error) {
      if (!(error instanceof Problem)) {
        throw error;
      }
      if (run.current !== thisRun) {
        return;
      }
      showProblem(error);
    }
    setProgress(undefined);
  };
  if (progress) {
    return (
      <Group gap="xs" wrap="nowrap">
        <Text size="sm" role="status">
          {count(progress.done)} {progress.total === undefined ? "" : `of ${count(progress.total)} `}read
        </Text>
        <Button size="compact-sm" variant="default" onClick={stop} aria-label={`Stop exporting ${name}`}>
          Stop
        </Button>
      </Group>
    );
  }
  return (
    <Tooltip label="Export all rows as CSV">
      <ActionIcon variant="default" size="lg" aria-label={`Export ${name} as CSV`} onClick={() => void start()}>
        <Download size={16} aria-hidden />
      </ActionIcon>
    </Tooltip>
  );
}
