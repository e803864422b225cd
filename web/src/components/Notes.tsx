import { Button, Card, Group, Stack, Switch, Text, Textarea } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { type FormEvent, useState } from "react";
import { graphQuery } from "../gql/client";
import {
  CreateNoteDocument,
  DeleteNoteDocument,
  type NewNote,
  type NoteFieldsFragment,
  StaffOptionsDocument,
  UpdateNoteDocument,
} from "../gql/documents";
import { showOutcome, useGraphMutation } from "../gql/mutation";
import type { Problem } from "../session/auth";
import { useCan } from "../session/permissions";
import { useSession } from "../session/session";
import { ActionButton } from "./ActionButton";
import { ConfirmButton } from "./ConfirmButton";
import { FormDialog } from "./FormDialog";
import { Instant } from "./Instant";
import classes from "./Notes.module.css";

type Props = {
  /** The record that the notes belong to, as a new note refers to it. */
  about: Pick<NewNote, "dealId" | "merchantId" | "leadId">;
  notes: NoteFieldsFragment[];
  total: number;
};

/** Shows a record's notes, pinned ones first, with a form for a new one. */
export function Notes({ about, notes, total }: Props) {
  const can = useCan();
  const result = useQuery(graphQuery(StaffOptionsDocument, {}));
  const names = new Map((result.data?.colleagues ?? []).map((c) => [c.id, c.name]));
  const sorted = [...notes.filter((n) => n.isPinned), ...notes.filter((n) => !n.isPinned)];
  return (
    <Stack gap="sm">
      {can("communications:write") && <NewNoteForm about={about} />}
      {notes.length === 0 && <Text c="dimmed">No notes yet.</Text>}
      {sorted.map((note) => (
        <NoteCard
          key={note.id}
          note={note}
          author={note.authorId ? (names.get(note.authorId) ?? "a former team member") : "an API key"}
        />
      ))}
      {total > notes.length && (
        <Text size="sm" c="dimmed">
          Showing the newest {notes.length} of {total}.
        </Text>
      )}
    </Stack>
  );
}

function NewNoteForm({ about }: Pick<Props, "about">) {
  const [body, setBody] = useState("");
  const [pinned, setPinned] = useState(false);
  const [problem, setProblem] = useState<Problem>();
  const [create, busy] = useGraphMutation(CreateNoteDocument);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const { problem: failure } = await create({ input: { ...about, body, isPinned: pinned } });
    setProblem(failure);
    if (!failure) {
      setBody("");
      setPinned(false);
    }
  };
  return (
    <form onSubmit={(event) => void submit(event)}>
      <Stack gap="xs">
        <Textarea
          label="New note"
          value={body}
          autosize
          minRows={2}
          maxRows={10}
          error={problem && (problem.details[0]?.message ?? problem.message)}
          onChange={(e) => setBody(e.currentTarget.value)}
        />
        <Group justify="space-between">
          <Switch label="Pin to top" checked={pinned} onChange={(e) => setPinned(e.currentTarget.checked)} />
          <Button type="submit" size="xs" loading={busy} disabled={body.trim() === ""}>
            Add note
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function NoteCard({ note, author }: { note: NoteFieldsFragment; author: string }) {
  const can = useCan();
  const { user } = useSession();
  const [update] = useGraphMutation(UpdateNoteDocument);
  const [remove] = useGraphMutation(DeleteNoteDocument);
  const canEdit = can("communications:write") && (note.authorId === String(user.id) || can("edit-company-settings"));
  const { id } = note;
  return (
    <Card withBorder padding="sm" component="article" aria-label={`Note by ${author}`}>
      <Text size="sm" className={classes.body}>
        {note.body}
      </Text>
      <Group justify="space-between" mt={6}>
        <Text size="xs" c="dimmed">
          {note.isPinned && "Pinned. "}By {author}, <Instant at={note.createdAt} />
          {note.updatedAt !== note.createdAt && ", edited"}
        </Text>
        {canEdit && (
          <Group gap={6}>
            <ActionButton
              label={note.isPinned ? "Unpin" : "Pin"}
              size="compact-xs"
              run={() =>
                showOutcome(
                  update({ id, input: { isPinned: !note.isPinned } }),
                  note.isPinned ? "Unpinned." : "Pinned.",
                )
              }
            />
            <FormDialog
              label="Edit"
              title="Edit note"
              size="compact-xs"
              variant="default"
              fields={[{ name: "body", label: "Note", kind: "long", required: true }]}
              initial={note}
              submitLabel="Save"
              save={async (input) => (await update({ id, input })).problem}
            />
            <ConfirmButton
              label="Delete"
              name="Delete note"
              size="compact-xs"
              danger
              consequence="This deletes the note. The audit log keeps a record of it."
              run={() => showOutcome(remove({ id }), "Note deleted.")}
            />
          </Group>
        )}
      </Group>
    </Card>
  );
}
