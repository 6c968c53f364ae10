import { SealBroken } from '@ponte/event-sourcing';
import type { MasterKey } from './master-key';

/** A master key that also opens what another one wrapped, for the time in which one follows the other. */
export interface KeyRing extends MasterKey {
  /** Wraps from now on. */
  readonly current: MasterKey;
  /** Fingerprints of all. */
  readonly fingerprints: readonly string[];
}

/** `others` only open. */
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
 * What a wrapped key becomes under the current master key; undefined when it is under it already. Throws `SealBroken`
 * when no key opens it.
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
