/** Idempotency-Keys of writes that may have reached the server although no response arrived, by request. */
const open = new Map<string, string>();

const randomKey = () =>
  // crypto.randomUUID needs HTTPS.
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");

/** Returns the Idempotency-Key of a write. The same write keeps its key until releaseKey. */
export function keyFor(write: string): string {
  const key = open.get(write) ?? randomKey();
  open.set(write, key);
  return key;
}

/** Ends a write that has a final response: sent again, it is a new write with a new key. */
export function settle(write: string) {
  open.delete(write);
}

/** Drops all keys, for another user. */
export function forgetKeys() {
  open.clear();
}
