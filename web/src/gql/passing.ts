import type { CombinedError } from "@urql/core";

const codes = ["internal_error", "unavailable", "rate_limited"];

/** passingCode reports the code of an error that may be another the next time. */
export const passingCode = (code: string) => codes.includes(code);

/**
 * passing reports an error that tells nothing of what was asked for: no answer came, or one that may be another the next time.
 * Of a mutation it leaves open whether it was done.
 */
export function passing(error: CombinedError): boolean {
  const first = error.graphQLErrors[0];
  return (
    !first ||
    passingCode(String(first.extensions.code)) ||
    // The same mutation is still under way.
    (error.response as Response | undefined)?.headers.has("Retry-After") === true
  );
}
