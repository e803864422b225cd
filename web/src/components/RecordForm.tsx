import { zodResolver } from "@hookform/resolvers/zod";
import { Button, Group, Select, SimpleGrid, Stack, Switch, Text, Textarea, TextInput } from "@mantine/core";
import { type ReactNode, useState } from "react";
import { Controller, type FieldValues, type UseFormReturn, useForm, useWatch } from "react-hook-form";
import { z } from "zod";
import { showProblem, useIsUnmounted } from "../gql/mutation";
import type { Detail, Problem } from "../session/auth";

// zod compiles validators with eval, which the content security policy forbids.
z.config({ jitless: true });

/** A field of a form. Its format is checked here to save a round trip; the server checks it again. */
export type FormField = {
  name: string;
  label: string;
  kind?: "text" | "money" | "rate" | "date" | "email" | "choice" | "switch" | "long" | "integer";
  options?: { value: string; label: string }[];
  required?: boolean;
  hint?: string;
};

/** Field values: text, or whether a switch is on. */
export type Values = Record<string, string | boolean>;

/** Only the fields that the user changed. A cleared field is null. */
export type Changes = Record<string, string | number | boolean | null>;

type Props = {
  /** Fields may come and go while the form is open; values are kept. */
  fields: FormField[];
  /** The current record. Absent fields are empty. */
  initial?: (Record<string, unknown> & { updatedAt?: string }) | undefined;
  submitLabel: string;
  /** Saves, and returns the problem if that fails. readAt is the record's updatedAt when the form opened. */
  save: (changes: Changes, readAt: string | undefined) => Promise<Problem | undefined>;
  cancel?: () => void;
  /** Shown below the fields, with their current values. */
  preview?: (values: Values) => ReactNode;
};

const patterns: Partial<Record<NonNullable<FormField["kind"]>, [RegExp, string]>> = {
  money: [/^-?\d{1,12}(\.\d{1,2})?$/, "Enter an amount, such as 1250.00"],
  rate: [/^-?\d{1,9}(\.\d{1,6})?$/, "Enter a number, such as 1.35"],
  integer: [/^-?\d{1,9}$/, "Enter a whole number"],
  email: [/^[^@\s]+@[^@\s]+$/, "Enter an email address"],
};

function buildSchema(fields: FormField[]) {
  const shape: Record<string, z.ZodType<string | boolean, string | boolean>> = {};
  for (const f of fields) {
    const [pattern, message] = patterns[f.kind ?? "text"] ?? [/^/, ""];
    shape[f.name] =
      f.kind === "switch"
        ? z.boolean()
        : z
            .string()
            .trim()
            .refine((text) => text !== "" || !f.required, "Required")
            .refine((text) => text === "" || pattern.test(text), message);
  }
  return z.object(shape);
}

function initialValues(fields: FormField[], initial: Props["initial"]): Values {
  return Object.fromEntries(
    fields.map((f) => {
      const value = initial?.[f.name];
      return [f.name, f.kind === "switch" ? value === true : value == null ? "" : String(value)];
    }),
  );
}

/** Creates or edits a record. Server errors show at their field, all others above the button. */
export function RecordForm({ fields, initial, submitLabel, save, cancel, preview }: Props) {
  const form = useForm<Values>({
    resolver: zodResolver(buildSchema(fields)),
    defaultValues: initialValues(fields, initial),
  });
  const [problem, setProblem] = useState<Problem>();
  const [readAt] = useState(initial?.updatedAt);
  const isUnmounted = useIsUnmounted();
  const submit = form.handleSubmit(async (values) => {
    const failure = await save(changedValues(fields, values, form.formState.dirtyFields), readAt);
    if (failure && isUnmounted()) {
      showProblem(failure);
      return;
    }
    setProblem(failure);
    for (const detail of failure?.details ?? []) {
      if (fields.some((f) => f.name === detail.path)) {
        form.setError(detail.path, { message: detail.message }, { shouldFocus: true });
      }
    }
  });
  const otherDetails = problem?.details.filter((d) => !fields.some((f) => f.name === d.path)) ?? [];
  return (
    <form onSubmit={(event) => void submit(event)} noValidate>
      <Stack>
        <SimpleGrid cols={{ base: 1, sm: 2 }}>
          {fields.map((f) => (
            <Input key={f.name} field={f} form={form} defaultValue={initialValues([f], initial)[f.name]} />
          ))}
        </SimpleGrid>
        {preview && <Preview form={form} render={preview} />}
        <div role="alert">
          {problem && (
            <Text c="var(--mantine-color-error)" size="sm">
              {[problem.message, ...otherDetails.map(formatDetail)].join(" ")}
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

/** Formats an error that belongs to no field of the form. */
const formatDetail = ({ path, message }: Detail) => (path === "unchangedSince" ? `${message}.` : `${path} ${message}`);

function Preview({ form, render }: { form: UseFormReturn<Values>; render: (values: Values) => ReactNode }) {
  return render(useWatch({ control: form.control }) as Values);
}

/** Leaves out untouched fields, so that another user's change to them is not reverted. */
function changedValues(fields: FormField[], values: Values, dirty: Partial<Record<string, boolean>>): Changes {
  const changes: Changes = {};
  for (const f of fields) {
    if (dirty[f.name]) {
      const value = values[f.name];
      changes[f.name] = value === "" || value === undefined ? null : f.kind === "integer" ? Number(value) : value;
    }
  }
  return changes;
}

type InputProps = {
  field: FormField;
  form: UseFormReturn<Values & FieldValues>;
  defaultValue: Values[string] | undefined;
};

function Input({ field, form, defaultValue }: InputProps) {
  return (
    <Controller
      name={field.name}
      control={form.control}
      defaultValue={defaultValue}
      render={({ field: input, fieldState }) => {
        const text = typeof input.value === "string" ? input.value : "";
        const commonProps = {
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
                {...commonProps}
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
                {...commonProps}
                {...input}
                value={text}
                autosize
                minRows={3}
                maxRows={10}
                style={{ gridColumn: "1 / -1" }}
              />
            );
          default:
            return <TextInput {...commonProps} {...input} value={text} {...inputProps(field)} />;
        }
      }}
    />
  );
}

/** Input hints. The form validates, not the browser. */
function inputProps(field: FormField) {
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
