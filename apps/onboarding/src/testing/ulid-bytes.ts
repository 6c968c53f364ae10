/** The 16 bytes of a ULID: 6 for the milliseconds, 10 of the given random bytes. */
export function ulidBytes(nowMs: number, random: Uint8Array): Uint8Array {
  const bytes = Buffer.alloc(16);
  bytes.writeUIntBE(nowMs, 0, 6);
  bytes.set(random.subarray(0, 10), 6);
  return bytes;
}
