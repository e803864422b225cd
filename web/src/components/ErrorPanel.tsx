import { Box, Button, Code, Group, Paper, Stack, Text } from "@mantine/core";
import { TriangleAlert } from "lucide-react";
import type { GraphError } from "../gql/request";
import { Problem } from "../session/auth";

/** Shows a problem, with a retry button if retry is given. */
export function ErrorPanel({ problem, retry }: { problem: Problem; retry?: () => void }) {
  return (
    <Paper withBorder p="md" role="alert">
      <Group align="flex-start" gap="sm" wrap="nowrap">
        <TriangleAlert aria-hidden size={20} />
        <Stack gap={6}>
          <Text fw={600}>{problem.message}</Text>
          {problem.details.map((d) => (
            <Text key={`${d.path} ${d.message}`} size="sm">
              {d.path} {d.message}
            </Text>
          ))}
          {problem.requestId && (
            <Text size="sm" c="dimmed">
              Request <Code>{problem.requestId}</Code>
            </Text>
          )}
          {retry && (
            <Group>
              <Button size="xs" variant="default" onClick={() => retry()}>
                Try again
              </Button>
            </Group>
          )}
        </Stack>
      </Group>
    </Paper>
  );
}

/** Warns that the data below could not be refreshed. */
export function Outdated({ error, retry }: { error: GraphError | null; retry: () => void }) {
  if (!error?.kind.transient) {
    return null;
  }
  const { message, code, requestId } = error.problem;
  const problem = new Problem(`This page may be out of date. ${message}`, code, requestId, []);
  return (
    <Box mb="md">
      <ErrorPanel problem={problem} retry={retry} />
    </Box>
  );
}
