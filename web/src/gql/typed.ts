/** The text of an operation, typed with its data and variables. codegen.mjs writes them to documents.ts. */
export type TypedDocument<Data, Variables> = string & {
  /** Never set; carries the types. */
  readonly __types?: (variables: Variables) => Data;
};

export function typed<Data, Variables extends Record<string, unknown>>(text: string): TypedDocument<Data, Variables> {
  return text;
}
