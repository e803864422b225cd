/** The Idempotency-Keys of writes that may have reached the server although no answer arrived, by what was sent. */
const open = new Map<string, string>();

const randomKey = () =>
  // crypto.randomUUID exists over HTTPS only.
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");

/** keyFor returns the Idempotency-Key of a write. The same write gets the same key until it is settled. */
export function keyFor(write: string): string {
  const key = open.get(write) ?? randomKey();
  open.set(write, key);
  return key;
}

/** settle ends a write that the server has answered for good: sent again, it is a new one with a new key. */
export function settle(write: string) {
  open.delete(write);
}

/** forgetKeys drops every open write, for when somebody else signs in. */
export function forgetKeys() {
  open.clear();
}
