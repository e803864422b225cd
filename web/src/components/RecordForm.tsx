import { zodResolver } from "@hookform/resolvers/zod";
import { Button, Group, Select, SimpleGrid, Stack, Switch, Text, Textarea, TextInput } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { Controller, type FieldValues, type UseFormReturn, useForm, useWatch } from "react-hook-form";
import { z } from "zod";
import { complain, useGone } from "../gql/act";
import type { Detail, Problem } from "../session/auth";

// zod would try whether it may compile checks, which the page's policy forbids.
z.config({ jitless: true });

/** A field of a form. What the server takes it for is checked there too; this spares the way. */
export type FormField = {
  name: string;
  label: string;
  kind?: "text" | "money" | "rate" | "date" | "email" | "choice" | "switch" | "long" | "integer";
  options?: { value: string; label: string }[];
  required?: boolean;
  hint?: string;
};

/** What stands in the fields: text, or whether a switch is on. */
export type Values = Record<string, string | boolean>;

/** What a form says: only the fields that were changed, null where one was emptied. */
export type Changes = Record<string, string | number | boolean | null>;

type Props = {
  /** They may come and go while the form is open; what was typed stays. */
  fields: FormField[];
  /** The record as it is; absent fields are empty. */
  initial?: (Record<string, unknown> & { updatedAt?: string }) | undefined;
  submitLabel: string;
  /** Saves, and returns the problem if that was refused. readAt is the updatedAt of the record as the form began with it. */
  save: (changes: Changes, readAt: string | undefined) => Promise<Problem | undefined>;
  cancel?: () => void;
  /** Stands below the fields, and follows what is written in them. */
  preview?: (values: Values) => ReactNode;
};

const patterns: Partial<Record<NonNullable<FormField["kind"]>, [RegExp, string]>> = {
  money: [/^-?\d{1,12}(\.\d{1,2})?$/, "Write an amount, such as 1250.00"],
  rate: [/^-?\d{1,9}(\.\d{1,6})?$/, "Write a number, such as 1.35"],
  integer: [/^-?\d{1,9}$/, "Write a whole number"],
  email: [/^[^@\s]+@[^@\s]+$/, "Write an e-mail address"],
};

/** schemaOf is what zod checks: text of the right form, or a switch. */
function schemaOf(fields: FormField[]) {
  const shape: Record<string, z.ZodType<string | boolean, string | boolean>> = {};
  for (const f of fields) {
    const [pattern, message] = patterns[f.kind ?? "text"] ?? [/^/, ""];
    shape[f.name] =
      f.kind === "switch"
        ? z.boolean()
        : z
            .string()
            .trim()
            .refine((text) => text !== "" || !f.required, "Is required")
            .refine((text) => text === "" || pattern.test(text), message);
  }
  return z.object(shape);
}

function valuesOf(fields: FormField[], initial: Props["initial"]): Values {
  return Object.fromEntries(
    fields.map((f) => {
      const value = initial?.[f.name];
      return [f.name, f.kind === "switch" ? value === true : value == null ? "" : String(value)];
    }),
  );
}

/** RecordForm creates or edits a record. What the server refuses stands at its field, and the rest above the button. */
export function RecordForm({ fields, initial, submitLabel, save, cancel, preview }: Props) {
  const form = useForm<Values>({ resolver: zodResolver(schemaOf(fields)), defaultValues: valuesOf(fields, initial) });
  const [problem, setProblem] = useState<Problem>();
  const [readAt] = useState(initial?.updatedAt);
  const gone = useGone();
  const submit = form.handleSubmit(async (values) => {
    const refused = await save(changesOf(fields, values, form.formState.dirtyFields), readAt);
    if (refused && gone()) {
      complain(refused);
      return;
    }
    setProblem(refused);
    for (const detail of refused?.details ?? []) {
      if (fields.some((f) => f.name === detail.path)) {
        form.setError(detail.path, { message: detail.message }, { shouldFocus: true });
      }
    }
  });
  const elsewhere = problem?.details.filter((d) => !fields.some((f) => f.name === d.path)) ?? [];
  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <Stack>
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          {fields.map((f) => (
            <Input key={f.name} field={f} form={form} begin={valuesOf([f], initial)[f.name]} />
          ))}
        </SimpleGrid>
        {preview && <Preview form={form} of={preview} />}
        <div role="alert">
          {problem && (
            <Text c="var(--mantine-color-error)" size="sm">
              {[problem.message, ...elsewhere.map(besideFields)].join(" ")}
              {problem.requestId ? ` (request ${problem.requestId})` : ""}
            </Text>
          )}
        </div>
        <Group justify="flex-end">
          {cancel && (
            <Button variant="default" onClick={cancel}>
              Cancel
            </Button>
          )}
          <Button type="submit" loading={form.formState.isSubmitting}>
            {submitLabel}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** besideFields tells what is wrong with something that the form has no field for. */
const besideFields = ({ path, message }: Detail) => (path === "unchangedSince" ? `${message}.` : `${path} ${message}`);

function Preview({ form, of }: { form: UseFormReturn<Values>; of: (values: Values) => ReactNode }) {
  return of(useWatch({ control: form.control }) as Values);
}

/** changesOf leaves out what was not touched, so that nobody else's change is taken back. */
function changesOf(fields: FormField[], values: Values, touched: Partial<Record<string, boolean>>): Changes {
  const changes: Changes = {};
  for (const f of fields) {
    if (touched[f.name]) {
      const value = values[f.name];
      changes[f.name] = value === "" || value === undefined ? null : f.kind === "integer" ? Number(value) : value;
    }
  }
  return changes;
}

type InputProps = { field: FormField; form: UseFormReturn<Values & FieldValues>; begin: Values[string] | undefined };

function Input({ field, form, begin }: InputProps) {
  return (
    <Controller
      name={field.name}
      control={form.control}
      defaultValue={begin}
      render={({ field: input, fieldState }) => {
        const text = typeof input.value === "string" ? input.value : "";
        const common = {
          label: field.label,
          description: field.hint,
          error: fieldState.error?.message,
          required: field.required ?? false,
        };
        switch (field.kind) {
          case "switch":
            return (
              <Switch
                label={field.label}
                description={field.hint}
                checked={input.value === true}
                onChange={(e) => input.onChange(e.currentTarget.checked)}
              />
            );
          case "choice":
            return (
              <Select
                {...common}
                data={field.options ?? []}
                value={text || null}
                onChange={(v) => input.onChange(v ?? "")}
                clearable={!field.required}
                clearButtonProps={{ "aria-label": `Clear ${field.label}` }}
                searchable
                ref={input.ref}
              />
            );
          case "long":
            return (
              <Textarea
                {...common}
                {...input}
                value={text}
                autosize
                minRows={3}
                maxRows={10}
                style={{ gridColumn: "1 / -1" }}
              />
            );
          default:
            return <TextInput {...common} {...input} value={text} {...attributes(field)} />;
        }
      }}
    />
  );
}

/** attributes help with typing; what was typed is judged by the form, not by the browser. */
function attributes(field: FormField) {
  switch (field.kind) {
    case "money":
      return { inputMode: "decimal" as const, leftSection: "$" };
    case "rate":
    case "integer":
      return { inputMode: "decimal" as const };
    case "date":
      return { type: "date" };
    case "email":
      return { type: "email" };
    default:
      return {};
  }
}
