/** An operation's text, typed with its answer and its variables. codegen.mjs writes them into documents.ts. */
export type TypedDocument<Data, Variables> = string & {
  /** Never set: it carries the types. */
  readonly __types?: (variables: Variables) => Data;
};

/** typed gives an operation's text the types of its answer and variables. */
export function typed<Data, Variables extends Record<string, unknown>>(text: string): TypedDocument<Data, Variables> {
  return text;
}
