import { PersistentMap } from '@ponte/kernel';

/** Ids in one chunk at the most. */
export const CHUNK_IDS = 8_192;
/** A command is refused by its deadline long before this; older ids are forgotten so that the state stays small. */
export const REMEMBERED_MS = 30 * 24 * 60 * 60 * 1000;
/** Ids go by the span, whole: six look-ups at most, and no one pays for the forgetting of single ids. */
const SPAN_MS = REMEMBERED_MS / 5;

type Chunk = PersistentMap<true>;

interface Span {
  /** Epoch milliseconds of the first id in it. */
  readonly since: number;
  /** All but the last are full. */
  readonly chunks: readonly Chunk[];
}

/** {@link RecentIds} as a snapshot keeps them; the ids of each chunk are a part, in order. */
export type EncodedIds = readonly { readonly since: number; readonly chunks: number }[];

/** Bytes of full chunks, which never change: the same object in each snapshot, so that it is written once. */
const encodedChunks = new WeakMap<Chunk, Uint8Array>();

/**
 * What has been done once in the last 30 days at least, and is not done again. Immutable: a new version shares the
 * chunks of the one before it, and adding to an older version copies one chunk.
 */
export class RecentIds {
  static readonly none = new RecentIds([]);

  private constructor(private readonly spans: readonly Span[]) {}

  has(id: string): boolean {
    return this.spans.some(({ chunks }) => isIn(chunks, id));
  }

  /** `now` is when it was done, in epoch milliseconds; times that go backwards a little do no harm. */
  with(id: string, now: number): RecentIds {
    const last = this.spans.at(-1);
    if (last && now - last.since < SPAN_MS)
      return new RecentIds([...this.spans.slice(0, -1), { since: last.since, chunks: added(last.chunks, id) }]);
    const kept = this.spans.filter(({ since }) => now - since <= REMEMBERED_MS + SPAN_MS);
    return new RecentIds([...kept, { since: now, chunks: added([], id) }]);
  }

  encode(): { head: EncodedIds; parts: Uint8Array[] } {
    return {
      head: this.spans.map(({ since, chunks }) => ({ since, chunks: chunks.length })),
      parts: this.spans.flatMap(({ chunks }) => chunks.map(encoded)),
    };
  }

  /** Throws when it is not what {@link RecentIds.encode} gave. */
  static decode(head: EncodedIds, parts: readonly Uint8Array[]): RecentIds {
    const left = parts.map(decoded);
    const spans = head.map(({ since, chunks }) => ({ since, chunks: left.splice(0, chunks) }));
    if (spans.some(({ chunks }, at) => chunks.length < (head[at]?.chunks ?? 0)))
      throw new Error('remembered ids are missing');
    return new RecentIds(spans);
  }
}

const isIn = (chunks: readonly Chunk[], id: string): boolean => chunks.some((chunk) => chunk.has(id));

function added(chunks: readonly Chunk[], id: string): readonly Chunk[] {
  if (isIn(chunks, id)) return chunks;
  const last = chunks.at(-1);
  return last && last.size < CHUNK_IDS
    ? [...chunks.slice(0, -1), last.with(id, true)]
    : [...chunks, PersistentMap.empty<true>().with(id, true)];
}

function encoded(chunk: Chunk): Uint8Array {
  const known = encodedChunks.get(chunk);
  if (known) return known;
  const bytes = Buffer.from(JSON.stringify(chunk.all().map(([id]) => id)));
  if (chunk.size === CHUNK_IDS) encodedChunks.set(chunk, bytes);
  return bytes;
}

function decoded(part: Uint8Array): Chunk {
  const ids = JSON.parse(Buffer.from(part).toString()) as readonly string[];
  const chunk = PersistentMap.of(ids.map((id) => [id, true] as const));
  if (chunk.size === CHUNK_IDS) encodedChunks.set(chunk, part);
  return chunk;
}
