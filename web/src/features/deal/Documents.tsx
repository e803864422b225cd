import { Anchor, Box, Button, FileButton, Group, Progress, Select, Stack, Table, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { Upload } from "lucide-react";
import { type DragEvent, useRef, useState } from "react";
import { humanize } from "../../components/format";
import { Instant } from "../../components/Instant";
import { Loaded } from "../../components/Loaded";
import { SmallTable } from "../../components/SmallTable";
import { graphQuery } from "../../gql/client";
import { DealDocumentsDocument, type DealDocumentsQuery, ReceiveStipulationDocument } from "../../gql/documents";
import { showAlreadySaved, showProblem, showSuccess, useGraphMutation } from "../../gql/mutation";
import { useCan } from "../../session/permissions";
import classes from "./Documents.module.css";
import { upload } from "./upload";

type DealWithDocuments = NonNullable<DealDocumentsQuery["deal"]>;
type Document = NonNullable<DealWithDocuments["documents"]>["nodes"][number];
type Stipulation = NonNullable<DealWithDocuments["stipulations"]>[number];

/** Kinds of documents that answer no stipulation. */
const otherKinds = ["CONTRACT", "DISCLOSURE", "OTHER"];

/** File types that the server accepts. */
const acceptedTypes = ".pdf,.png,.jpg,.jpeg,.heic,.csv,.txt,.xlsx,.docx";

/** Lists a deal's files, and uploads new ones. */
export default function Documents({ id }: { id: string }) {
  const result = useQuery(graphQuery(DealDocumentsDocument, { id }));
  const can = useCan();
  return (
    <Loaded noun="documents" record={result.data?.deal} error={result.error} retry={result.refetch}>
      {(deal) => {
        const { nodes, totalCount } = deal.documents ?? { nodes: [], totalCount: 0 };
        const stipulations = deal.stipulations ?? [];
        return (
          <Stack>
            {can("deals:write") && (
              <UploadArea deal={id} stipulations={stipulations} onDone={() => void result.refetch()} />
            )}
            {nodes.length === 0 ? (
              <Text c="dimmed">No documents yet.</Text>
            ) : (
              <DocumentTable documents={nodes} stipulations={stipulations} />
            )}
            {totalCount > nodes.length && (
              <Text size="sm" c="dimmed">
                Showing the newest {nodes.length} of {totalCount}.
              </Text>
            )}
          </Stack>
        );
      }}
    </Loaded>
  );
}

/** Uploads files, picked or dropped. A file for a stipulation marks it as received. */
function UploadArea({ deal, stipulations, onDone }: { deal: string; stipulations: Stipulation[]; onDone: () => void }) {
  const [kind, setKind] = useState("OTHER");
  const [dragging, setDragging] = useState(false);
  const [uploading, setUploading] = useState<{ name: string; part: number } | null>(null);
  const [receive] = useGraphMutation(ReceiveStipulationDocument);
  // Without a reset, browsers report no change if the same file is picked again.
  const resetInput = useRef<() => void>(null);
  const send = async (files: File[]) => {
    for (const file of files) {
      setUploading({ name: file.name, part: 0 });
      const uploaded = await upload(deal, kind, file, (part) => setUploading({ name: file.name, part }));
      if (uploaded.problem) {
        showProblem(uploaded.problem);
        continue;
      }
      if (uploaded.replayed) {
        showAlreadySaved();
      } else {
        showSuccess(`${file.name} uploaded.`);
      }
      const stipulation = stipulations.find((s) => s.code === kind && s.status === "REQUESTED");
      if (stipulation) {
        const received = await receive({ id: stipulation.id, input: { documentId: uploaded.id } });
        if (received.problem) {
          showProblem(received.problem);
        }
      }
    }
    setUploading(null);
    resetInput.current?.();
    onDone();
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setDragging(false);
    if (!uploading) {
      send([...event.dataTransfer.files]);
    }
  };
  return (
    <Box
      component="section"
      aria-label="Upload"
      className={dragging ? `${classes.drop} ${classes.over}` : classes.drop}
      onDragOver={(event: DragEvent) => {
        event.preventDefault();
        setDragging(true);
      }}
      onDragLeave={() => setDragging(false)}
      onDrop={drop}
    >
      <Group align="end">
        <Select
          label="Type"
          data={[
            { group: "For a stipulation", items: stipulations.map((s) => ({ value: s.code, label: s.title })) },
            { group: "Other", items: otherKinds.map((value) => ({ value, label: humanize(value) })) },
          ]}
          value={kind}
          onChange={(next) => setKind(next ?? "OTHER")}
          allowDeselect={false}
          searchable
        />
        <FileButton resetRef={resetInput} multiple accept={acceptedTypes} onChange={send} disabled={uploading !== null}>
          {(props) => (
            <Button {...props} leftSection={<Upload size={16} aria-hidden />} disabled={uploading !== null}>
              Upload files
            </Button>
          )}
        </FileButton>
        <Text size="sm" c="dimmed">
          Or drop files here. PDF, PNG, JPEG, HEIC, CSV, TXT, XLSX and DOCX.
        </Text>
      </Group>
      {uploading && (
        <Box mt="sm">
          <Text size="sm" role="status" className={classes.name}>
            Uploading {uploading.name}…
          </Text>
          <Progress value={uploading.part * 100} aria-label={`Upload of ${uploading.name}`} mt={4} />
        </Box>
      )}
    </Box>
  );
}

function DocumentTable({ documents, stipulations }: { documents: Document[]; stipulations: Stipulation[] }) {
  const titles = new Map(stipulations.map((s) => [s.code, s.title]));
  return (
    <SmallTable
      label="Documents"
      verticalSpacing={6}
      highlightOnHover
      region="Table of documents"
      minWidth={560}
      head={
        <>
          <Table.Th>Name</Table.Th>
          <Table.Th>Type</Table.Th>
          <Table.Th ta="right">Size</Table.Th>
          <Table.Th>Added</Table.Th>
        </>
      }
    >
      {documents.map((d) => (
        <Table.Tr key={d.id}>
          <Table.Td className={classes.name}>
            {d.size === null ? (
              <Text size="sm" component="bdi">
                {d.name}
              </Text>
            ) : (
              <Anchor href={`/documents/${d.id}`} download size="sm">
                <bdi>{d.name}</bdi>
              </Anchor>
            )}
          </Table.Td>
          <Table.Td>{titles.get(d.kind) ?? humanize(d.kind)}</Table.Td>
          <Table.Td ta="right">{d.size === null ? "Stored elsewhere" : formatBytes(d.size)}</Table.Td>
          <Table.Td>
            <Instant at={d.createdAt} />
          </Table.Td>
        </Table.Tr>
      ))}
    </SmallTable>
  );
}

function formatBytes(size: number): string {
  return size < 1_000_000 ? `${Math.max(1, Math.round(size / 1000))} kB` : `${(size / 1_000_000).toFixed(1)} MB`;
}
