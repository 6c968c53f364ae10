import type { Entry } from './wire';

/** The rules in the metadata of a stream, and whether it has a tombstone. */
export interface StreamRules {
  /** `$tb`: lower revisions are hidden. */
  readonly truncateBefore: number;
  /** `$maxCount`: only this number of last events is shown. */
  readonly maxCount: number;
  /** `$maxAge`, in milliseconds. */
  readonly maxAgeMs: number;
  readonly isTombstoned: boolean;
}

export const NO_RULES: StreamRules = { truncateBefore: 0, maxCount: Infinity, maxAgeMs: Infinity, isTombstoned: false };

/** The stream whose rules an entry changes. */
export function streamWithRules({ stream, type }: Pick<Entry, 'stream' | 'type'>): string | undefined {
  if (type === '$streamDeleted') return stream;
  return stream.startsWith('$$') && type === '$metadata' ? stream.slice(2) : undefined;
}

/** The rules of a stream after an entry that changes them ({@link streamWithRules}). */
export function rulesAfter(before: StreamRules, entry: Pick<Entry, 'type' | 'data'>): StreamRules {
  if (entry.type === '$streamDeleted') return { ...before, isTombstoned: true };
  const metadata = JSON.parse(Buffer.from(entry.data()).toString('utf8')) as {
    $tb?: number;
    $maxCount?: number;
    $maxAge?: number;
  };
  return {
    ...before,
    truncateBefore: metadata.$tb ?? 0,
    maxCount: metadata.$maxCount ?? Infinity,
    maxAgeMs: (metadata.$maxAge ?? Infinity) * 1_000,
  };
}
