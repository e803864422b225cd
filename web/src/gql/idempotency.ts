/** Idempotency-Keys of writes that may have reached the server although no response arrived, by request. */
const keys = new Map<string, string>();

const randomKey = () =>
  // crypto.randomUUID needs HTTPS.
  Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("");

/** Returns the Idempotency-Key of a write. The same write keeps its key until releaseKey. */
export function keyFor(write: string): string {
  const key = keys.get(write) ?? randomKey();
  keys.set(write, key);
  return key;
}

/** Ends a write that has a final response: sent again, it is a new write with a new key. */
export function releaseKey(write: string) {
  keys.delete(write);
}

/** Drops all keys, for another user. */
export function clearKeys() {
  keys.clear();
}
