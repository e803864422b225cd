import { Skeleton, Stack } from "@mantine/core";
import type { ReactNode } from "react";
import type { GraphError } from "../gql/request";
import { NotFound } from "../shell/NotFound";
import { ErrorPanel, Outdated } from "./ErrorPanel";

type Props<Record> = {
  /** What is being loaded, in lowercase. */
  noun: string;
  /** undefined while loading, null if it does not exist. */
  record: Record | null | undefined;
  error: GraphError | null;
  retry: () => void;
  children: (record: Record) => ReactNode;
};

/** Shows a record, or that it is loading, missing or failed to load. */
export function Loaded<Record>({ noun, record, error, retry, children }: Props<Record>) {
  if (record) {
    return (
      <>
        <Outdated error={error} retry={retry} />
        {children(record)}
      </>
    );
  }
  if (error) {
    const problem = error.problem;
    return problem.code === "not_found" ? <NotFound noun={noun} /> : <ErrorPanel problem={problem} retry={retry} />;
  }
  if (record === null) {
    return <NotFound noun={noun} />;
  }
  return (
    <Stack role="status" aria-label={`Loading ${noun}`}>
      <Skeleton h={36} w="40%" />
      <Skeleton h={120} />
      <Skeleton h={240} />
    </Stack>
  );
}
