import { EventEmitter } from 'node:events';
import { LogFile } from './log-file';
import { LogView } from './log-view';
import type { StreamRules } from './stream-rules';
import { NO_RULES, streamWithRules, rulesAfter } from './stream-rules';
import type { Entry, Proposed } from './wire';
import { decodeEntry, encodeEntry } from './wire';

/** The state that an append expects of its stream, named as in the protocol. */
export type Expected = number | 'no-stream' | 'stream-exists' | 'any';

export type Outcome =
  | { readonly kind: 'kept'; readonly revision: number; readonly position: number }
  /** `current` is -1 when the stream does not exist. */
  | { readonly kind: 'wrong-revision'; readonly current: number }
  | { readonly kind: 'deleted' };

/** Position of the first event: a real log begins with system events. */
const FIRST_POSITION = 1_204;
/** Bytes of a record besides its texts. Positions are byte offsets, so they have gaps. */
const RECORD_OVERHEAD = 68;
/** The revision of the event that a tombstone writes. */
const TOMBSTONE_REVISION = Number.MAX_SAFE_INTEGER;

/** The log of the test server, with one order for all streams. Readers see an event once it is on the disk. */
export class EsdbLog {
  /** Emits `grown` when readers can see more events. */
  readonly events = new EventEmitter().setMaxListeners(0);
  private readonly entries: Entry[] = [];
  /** For each stream the indices of its entries, by revision. */
  private readonly streams = new Map<string, number[]>();
  private readonly rules = new Map<string, StreamRules>();
  /** Indices of entries that were scavenged. */
  private readonly scavenged = new Set<number>();
  private end = FIRST_POSITION;
  private visible = 0;
  private file: LogFile | undefined;

  /** Stores the log in the file `path`, or in memory without one. */
  static async open(path?: string): Promise<EsdbLog> {
    const log = new EsdbLog();
    if (path !== undefined) log.file = await LogFile.open(path, (payload) => log.load(payload));
    log.visible = log.entries.length;
    return log;
  }

  /** A copy in memory of the first `count` events, as a restored backup has. */
  backup(count: number): EsdbLog {
    const log = new EsdbLog();
    for (const entry of this.entries.slice(0, count)) {
      log.add(entry);
      log.end = entry.position + sizeOf(entry);
    }
    log.visible = log.entries.length;
    return log;
  }

  /** The view of one node: the whole log, or less if it lags. */
  view(shown: () => number = () => Infinity): LogView {
    return new LogView(this, shown);
  }

  /** Checks and adds the events synchronously. They may be acknowledged only after {@link durable}. */
  append(stream: string, expected: Expected, proposed: readonly Proposed[], nowMs: number): Outcome {
    const { isTombstoned } = this.rulesOf(stream);
    if (isTombstoned) return { kind: 'deleted' };
    const places = this.placesOf(stream);
    const current = places.length - 1;
    // A soft-deleted stream counts as absent, but its revisions continue.
    const shown = current >= 0 && this.view().first(stream, nowMs) > current ? -1 : current;
    if (expected !== 'any' && !meets(expected, shown, current))
      return this.repeated(places, expected, proposed) ?? { kind: 'wrong-revision', current: shown };
    const earlier =
      expected === 'any' ? this.repeated(places, places.length - 1 - proposed.length, proposed) : undefined;
    if (earlier) return earlier;
    const entries = proposed.map((event, at) => this.place(event, stream, current + 1 + at, nowMs));
    // A soft-deleted stream that is written again shows the new events.
    if (shown < current) this.rules.set(stream, { ...this.rulesOf(stream), truncateBefore: current + 1 });
    this.keep(entries);
    return { kind: 'kept', revision: current + entries.length, position: entries.at(-1)?.position ?? this.end };
  }

  /** Deletes a stream permanently, with an event in the stream itself. */
  tombstone(stream: string, nowMs: number): Outcome {
    if (this.rulesOf(stream).isTombstoned) return { kind: 'deleted' };
    const event: Proposed = {
      id: '00000000-0000-4000-8000-000000000000',
      type: '$streamDeleted',
      contentType: 'application/json',
      data: Buffer.from('{}'),
      metadata: Buffer.from(''),
    };
    const entry = this.place(event, stream, TOMBSTONE_REVISION, nowMs);
    this.keep([entry]);
    return { kind: 'kept', revision: TOMBSTONE_REVISION, position: entry.position };
  }

  /** Resolves when all events appended so far are on the disk and readable. */
  async durable(): Promise<void> {
    const upTo = this.entries.length;
    await this.file?.flushed();
    if (upTo <= this.visible) return;
    this.visible = upTo;
    this.events.emit('grown');
  }

  /** Removes events that the rules of their streams hide. Revisions and positions keep their gaps. */
  scavenge(nowMs: number): void {
    const view = this.view();
    for (const [stream, places] of this.streams) {
      for (const index of places.slice(0, view.first(stream, nowMs))) this.scavenged.add(index);
    }
  }

  /** Number of readable events of all streams, including scavenged ones. */
  get length(): number {
    return this.visible;
  }

  entry(index: number): Entry | undefined {
    return this.entries[index];
  }

  isScavenged(index: number): boolean {
    return this.scavenged.has(index);
  }

  placesOf(stream: string): readonly number[] {
    return this.streams.get(stream) ?? [];
  }

  rulesOf(stream: string): StreamRules {
    return this.rules.get(stream) ?? NO_RULES;
  }

  async close(): Promise<void> {
    await this.file?.close();
    this.file = undefined;
  }

  /** The result of a repeated append: all its events follow the expected revision, in order. Undefined otherwise. */
  private repeated(places: readonly number[], expected: Expected, proposed: readonly Proposed[]): Outcome | undefined {
    const first = expected === 'no-stream' ? 0 : typeof expected === 'number' ? expected + 1 : -1;
    if (first < 0 || proposed.length === 0) return undefined;
    const stored = places.slice(first, first + proposed.length).map((index) => this.entries[index] as Entry);
    const last = stored[proposed.length - 1];
    const same = last && proposed.every((event, at) => stored[at]?.id === event.id);
    return same ? { kind: 'kept', revision: last.revision, position: last.position } : undefined;
  }

  private place(event: Proposed, stream: string, revision: number, nowMs: number): Entry {
    const position = this.end;
    this.end += RECORD_OVERHEAD + Buffer.byteLength(stream) + event.data.length + event.metadata.length;
    return encodeEntry(event, { stream, revision, position, nowMs });
  }

  private keep(entries: readonly Entry[]): void {
    for (const entry of entries) this.add(entry);
    if (entries.length > 0) this.file?.write(frameOf(entries));
  }

  private add(entry: Entry): void {
    const index = this.entries.push(entry) - 1;
    const ruled = streamWithRules(entry);
    if (ruled !== undefined) this.rules.set(ruled, rulesAfter(this.rulesOf(ruled), entry));
    if (entry.type === '$streamDeleted') return;
    const places = this.streams.get(entry.stream);
    if (places) places.push(index);
    else this.streams.set(entry.stream, [index]);
  }

  private load(payload: Buffer): void {
    for (let at = 0; at < payload.length;) {
      const size = payload.readUInt32BE(at);
      const entry = decodeEntry(Buffer.from(payload.subarray(at + 4, at + 4 + size)));
      this.add(entry);
      this.end = entry.position + sizeOf(entry);
      at += 4 + size;
    }
  }
}

const sizeOf = (entry: Entry): number => RECORD_OVERHEAD + entry.encoded.length;

function meets(expected: Exclude<Expected, 'any'>, shown: number, current: number): boolean {
  if (expected === 'no-stream') return shown === -1;
  if (expected === 'stream-exists') return shown >= 0;
  return current === expected;
}

/** One append is one frame, so that it is loaded as a whole or not at all. */
function frameOf(entries: readonly Entry[]): Buffer {
  return Buffer.concat(
    entries.flatMap(({ encoded }) => {
      const size = Buffer.alloc(4);
      size.writeUInt32BE(encoded.length);
      return [size, encoded];
    }),
  );
}
