import { SimpleGrid, Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { lazy, Suspense } from "react";
import { Loaded } from "../../components/Loaded";
import { PageHeader } from "../../components/PageHeader";
import { graphQuery } from "../../gql/client";
import { DashboardDocument } from "../../gql/documents";
import { useCan } from "../../session/permissions";
import { Pending } from "../../shell/Pending";
import { Pipeline } from "./Pipeline";
import { ReturnRates } from "./ReturnRates";
import { ToDo } from "./ToDo";

const Charts = lazy(() => import("./Charts"));

/** The state of the pipeline, and work to do. A role sees only what it may read. */
export function Dashboard() {
  const can = useCan();
  return (
    <Stack>
      <PageHeader title="Dashboard" />
      {can("deals:read") ? (
        <Content />
      ) : (
        <Text>Your role does not include dashboard figures. Use the menu to get started.</Text>
      )}
    </Stack>
  );
}

function Content() {
  const can = useCan();
  const result = useQuery(graphQuery(DashboardDocument, {}));
  return (
    <Loaded noun="dashboard" record={result.data?.dashboard} error={result.error} retry={result.refetch}>
      {(figures) => (
        <Stack>
          <SimpleGrid cols={{ base: 1, lg: 2 }}>
            <ToDo figures={figures} />
            <Pipeline figures={figures} />
          </SimpleGrid>
          <SimpleGrid cols={{ base: 1, lg: 2 }}>
            <Suspense fallback={<Pending />}>
              <Charts figures={figures} />
            </Suspense>
            {can("payments:read") && <ReturnRates />}
          </SimpleGrid>
        </Stack>
      )}
    </Loaded>
  );
}
