import { SealBroken } from '@ponte/event-sourcing';
import type { MasterKey } from './personal-data';

/** A master key that can also unwrap what other master keys wrapped, for use during a rotation. */
export interface KeyRing extends MasterKey {
  /** Wraps new keys. */
  readonly current: MasterKey;
  /** Fingerprints of all its keys. */
  readonly fingerprints: readonly string[];
}

/** `others` are used only to unwrap. */
export const keyRing = (current: MasterKey, others: readonly MasterKey[] = []): KeyRing => ({
  current,
  fingerprint: current.fingerprint,
  fingerprints: [current, ...others].map(({ fingerprint }) => fingerprint),
  wrap: (key, subject) => current.wrap(key, subject),
  async unwrap(wrapped, subject) {
    for (const one of [current, ...others]) {
      const key = await opened(one, wrapped, subject);
      if (key) return key;
    }
    throw new SealBroken();
  },
});

/**
 * Wraps a key again under the current master key; undefined if it is already under that one. Throws `SealBroken` if no
 * master key can unwrap it.
 */
export async function rewrapped(ring: KeyRing, wrapped: Buffer, subject: string): Promise<Buffer | undefined> {
  if (await opened(ring.current, wrapped, subject)) return undefined;
  return ring.wrap(await ring.unwrap(wrapped, subject), subject);
}

async function opened(master: MasterKey, wrapped: Buffer, subject: string): Promise<Buffer | undefined> {
  try {
    return await master.unwrap(wrapped, subject);
  } catch (error) {
    if (error instanceof SealBroken) return undefined;
    throw error;
  }
}
