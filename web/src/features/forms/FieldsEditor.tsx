import { ActionIcon, Button, Checkbox, Group, MultiSelect, Paper, Select, TagsInput, TextInput } from "@mantine/core";
import { ArrowDown, ArrowUp, Trash2 } from "lucide-react";
import { answerTargets } from "../../gql/contract";
import type { Problem } from "../../session/auth";
import classes from "./FieldsEditor.module.css";
import { answerTypes, type Field, newField, toFieldName } from "./fields";

type Props = { fields: Field[]; set: (fields: Field[]) => void; problem: Problem | undefined; readOnly: boolean };

/** Edits the questions of a form and their order. Server errors show at their question. */
export function FieldsEditor({ fields, set, problem, readOnly }: Props) {
  const change = (index: number, changes: Partial<Field>) =>
    set(fields.map((field, i) => (i === index ? { ...field, ...changes } : field)));
  const move = (index: number, offset: number) => {
    const moved = [...fields];
    const [field] = moved.splice(index, 1);
    if (field) {
      moved.splice(index + offset, 0, field);
    }
    set(moved);
  };
  return (
    <>
      <ol className={classes.fields} aria-label="Fields">
        {fields.map((field, i) => (
          <Paper component="li" withBorder p="sm" key={field.key}>
            <fieldset className={classes.field} disabled={readOnly} aria-label={field.label || `Field ${i + 1}`}>
              <QuestionInputs
                field={field}
                change={(changes) => change(i, changes)}
                errorOf={(part) =>
                  problem?.details.find((d) => d.path.replace(/^input\./, "").startsWith(`fields.${i}.${part}`))
                    ?.message
                }
              />
              {!readOnly && (
                <Group gap={4} wrap="nowrap" className={classes.acts}>
                  <ActionIcon
                    variant="subtle"
                    aria-label={`Move ${field.label || "field"} up`}
                    disabled={i === 0}
                    onClick={() => move(i, -1)}
                  >
                    <ArrowUp size={16} aria-hidden />
                  </ActionIcon>
                  <ActionIcon
                    variant="subtle"
                    aria-label={`Move ${field.label || "field"} down`}
                    disabled={i === fields.length - 1}
                    onClick={() => move(i, 1)}
                  >
                    <ArrowDown size={16} aria-hidden />
                  </ActionIcon>
                  <ActionIcon
                    variant="subtle"
                    color="red.9"
                    aria-label={`Remove ${field.label || "field"}`}
                    onClick={() => set(fields.filter((_, index) => index !== i))}
                  >
                    <Trash2 size={16} aria-hidden />
                  </ActionIcon>
                </Group>
              )}
            </fieldset>
          </Paper>
        ))}
      </ol>
      {!readOnly && (
        <Group>
          <Button variant="default" size="xs" onClick={() => set([...fields, newField()])}>
            Add field
          </Button>
        </Group>
      )}
    </>
  );
}

function QuestionInputs({
  field,
  change,
  errorOf,
}: {
  field: Field;
  change: (changes: Partial<Field>) => void;
  errorOf: (part: string) => string | undefined;
}) {
  return (
    <div className={classes.inputs}>
      <TextInput
        label="Question"
        value={field.label}
        onChange={(e) => {
          const label = e.currentTarget.value;
          // A saved field keeps its name, since stored answers refer to it.
          const followsLabel = field.isNew && field.name === toFieldName(field.label);
          change(followsLabel ? { label, name: toFieldName(label) } : { label });
        }}
        error={errorOf("label")}
        required
      />
      <TextInput
        label="Help"
        value={field.help}
        onChange={(e) => change({ help: e.currentTarget.value })}
        error={errorOf("help")}
      />
      <Select
        label="Answer type"
        data={answerTypes}
        value={field.type}
        onChange={(type) => change({ type: type ?? "text" })}
        allowDeselect={false}
        error={errorOf("type")}
      />
      <TextInput
        label="Field name"
        value={field.name}
        onChange={(e) => change({ name: e.currentTarget.value })}
        error={errorOf("name")}
        required
      />
      <MultiSelect
        label="Maps to"
        placeholder={field.mapsTo.length === 0 ? "Not mapped" : ""}
        data={[...new Set([...answerTargets, ...field.mapsTo])]}
        value={field.mapsTo}
        onChange={(mapsTo) => change({ mapsTo })}
        error={errorOf("mapsTo")}
        searchable
      />
      {field.type === "choice" && (
        <TagsInput
          label="Choices"
          description="Press Enter after each"
          value={field.options}
          onChange={(options) => change({ options })}
          error={errorOf("options")}
        />
      )}
      <Checkbox
        className={classes.required}
        label="Required"
        checked={field.required}
        onChange={(e) => change({ required: e.currentTarget.checked })}
      />
    </div>
  );
}
