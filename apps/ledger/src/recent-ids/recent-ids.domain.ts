import { PersistentMap } from '@ponte/kernel';
import { CHUNK_IDS, IdChunk } from './id-chunk.domain';
import type { PackedId } from './id-chunk.domain';

interface Span {
  /** Epoch milliseconds of the first id of the span. */
  readonly since: number;
  /** Shared with newer versions, which may have added to the last chunk. */
  readonly chunks: readonly IdChunk[];
  /** How many ids of the last chunk belong to this version. */
  readonly size: number;
  /** Ids that are not a UUID with a prefix. */
  readonly others: PersistentMap<true>;
}

/**
 * Older ids are forgotten so that the state stays small. Whether a step that is older than this was taken is read from
 * the log.
 */
export const REMEMBERED_MS = 30 * 24 * 60 * 60 * 1000;
/** Whole spans of ids are forgotten, so there are at most six look-ups and no cost for forgetting single ids. */
const SPAN_MS = REMEMBERED_MS / 5;
const UUID_AT_END = /^(.*)([0-9a-f]{8})-([0-9a-f]{4}-[0-9a-f]{4})-([0-9a-f]{4}-[0-9a-f]{4})([0-9a-f]{8})$/s;
const MAX_PREFIXES = 255;

/** {@link RecentIds} in a snapshot. The packed ids of all spans are the snapshot's parts, in order. */
export interface EncodedIds {
  readonly prefixes: readonly string[];
  readonly forgotBefore: number | null;
  readonly spans: readonly { readonly since: number; readonly chunks: number; readonly others: readonly string[] }[];
}

/**
 * What has been done in at least the last 30 days and must not be done again. Immutable. A busy account has many ids,
 * nearly all UUIDs behind a few prefixes (`deposit:…`), so they are packed: a million ids take 21 MB. A new version
 * shares the chunks of the previous one; adding to an older version copies one chunk.
 */
export class RecentIds {
  static readonly none = new RecentIds([], [], null);

  private constructor(
    private readonly spans: readonly Span[],
    private readonly prefixes: readonly string[],
    /** Ids from before this time are forgotten, in epoch milliseconds. Null while no id is. */
    readonly forgotBefore: number | null,
  ) {}

  has(id: string): boolean {
    const packed = pack(this.prefixes, id);
    // Without a known prefix, the id can only be among the unpacked ones.
    return this.spans.some(packed ? (span) => holds(span, packed) : ({ others }) => others.has(id));
  }

  /** `now` is when it was done, in epoch milliseconds. Small backward steps of the time are harmless. */
  with(id: string, now: number): RecentIds {
    const prefixes = withPrefixOf(this.prefixes, id);
    const packed = pack(prefixes, id);
    const last = this.spans.at(-1);
    if (last && now - last.since < SPAN_MS)
      return new RecentIds([...this.spans.slice(0, -1), added(last, id, packed)], prefixes, this.forgotBefore);
    const kept = this.spans.filter(({ since }) => now - since <= REMEMBERED_MS + SPAN_MS);
    return new RecentIds(
      [...kept, added({ since: now, chunks: [], size: 0, others: PersistentMap.empty() }, id, packed)],
      prefixes,
      kept.length < this.spans.length ? (kept[0]?.since ?? now) : this.forgotBefore,
    );
  }

  /** With forgotten ids that were found in the log. Counts as complete: nothing else that is asked for is forgotten. */
  recalling(found: readonly string[]): RecentIds {
    const since = this.spans.at(-1)?.since ?? 0;
    const { spans, prefixes } = found.reduce<RecentIds>((ids, id) => ids.with(id, since), this);
    return new RecentIds(spans, prefixes, null);
  }

  encode(): { head: EncodedIds; parts: Uint8Array[] } {
    const spans = this.spans.map(({ since, chunks, others }) => ({
      since,
      chunks: chunks.length,
      others: others.all().map(([id]) => id),
    }));
    const parts = this.spans.flatMap(({ chunks, size }) =>
      chunks.map((chunk, at) => chunk.encoded(at === chunks.length - 1 ? size : chunk.length)),
    );
    return { head: { prefixes: this.prefixes, forgotBefore: this.forgotBefore, spans }, parts };
  }

  /** Throws if the input is not what {@link RecentIds.encode} returned. */
  static decode({ prefixes, forgotBefore, spans }: EncodedIds, parts: readonly Uint8Array[]): RecentIds {
    const left = parts.map((part) => IdChunk.decoded(part));
    const decoded = spans.map(({ since, chunks: count, others }): Span => {
      const chunks = left.splice(0, count);
      if (chunks.length < count) throw new Error('packed ids are missing from the snapshot');
      return {
        since,
        chunks,
        size: chunks.at(-1)?.length ?? 0,
        others: others.reduce((map, id) => map.with(id, true), PersistentMap.empty<true>()),
      };
    });
    return new RecentIds(decoded, prefixes, forgotBefore);
  }
}

function holds({ chunks, size }: Span, id: PackedId): boolean {
  const newest = chunks.length - 1;
  for (let at = newest; at >= 0; at -= 1) {
    const place = (chunks[at] as IdChunk).find(id);
    if (place >= 0 && (at < newest || place < size)) return true;
  }
  return false;
}

function added(span: Span, id: string, packed: PackedId | undefined): Span {
  const { since, chunks, size, others } = span;
  if (!packed) return { since, chunks, size, others: others.with(id, true) };
  if (holds(span, packed)) return span;
  const last = chunks.at(-1);
  if (!last || size >= CHUNK_IDS) {
    const next = IdChunk.empty();
    next.add(packed);
    return { since, chunks: [...chunks, next], size: 1, others };
  }
  // A newer version already added to this chunk: this version continues on its own copy.
  const own = last.length === size ? last : last.copy(size);
  own.add(packed);
  return { since, chunks: own === last ? chunks : [...chunks.slice(0, -1), own], size: size + 1, others };
}

function withPrefixOf(prefixes: readonly string[], id: string): readonly string[] {
  const prefix = UUID_AT_END.exec(id)?.[1];
  return prefix === undefined || prefixes.includes(prefix) || prefixes.length >= MAX_PREFIXES
    ? prefixes
    : [...prefixes, prefix];
}

/** Undefined if the id is not a UUID behind one of these prefixes. */
function pack(prefixes: readonly string[], id: string): PackedId | undefined {
  const [, prefix = '', first = '', second = '', third = '', fourth = ''] = UUID_AT_END.exec(id) ?? [];
  const at = first === '' ? -1 : prefixes.indexOf(prefix);
  return at < 0 ? undefined : [word(first), word(second), word(third), word(fourth), at];
}

const word = (digits: string): number => Number.parseInt(digits.replace('-', ''), 16);
