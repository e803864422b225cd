import type { TypedDocumentNode } from "@urql/core";

/** typed gives the text of an operation the types of its answer and variables. urql takes the text as it is. */
export function typed<Data, Variables extends Record<string, unknown>>(
  text: string,
): TypedDocumentNode<Data, Variables> {
  return text as unknown as TypedDocumentNode<Data, Variables>;
}
