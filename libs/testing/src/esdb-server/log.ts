import { EventEmitter } from 'node:events';
import { LogFile } from './log-file';
import type { Entry, Proposed } from './wire';
import { decodeEntry, encodeEntry } from './wire';

/** What an append asks of its stream; the names are the protocol's. */
export type Expected = number | 'no-stream' | 'stream-exists' | 'any';

export type Verdict =
  | { readonly kind: 'kept'; readonly revision: number; readonly position: number }
  /** `current` is -1 when the stream does not exist. */
  | { readonly kind: 'wrong-revision'; readonly current: number };

/** Where the first event lies: a real log begins with events of the system's own. */
const FIRST_POSITION = 1_204;
/** What a record takes in the log besides its texts. Positions are byte offsets, so they have gaps. */
const RECORD_OVERHEAD = 68;

/** The log of the test server: one order for all streams; readers see an event once it is on the disk. */
export class EsdbLog {
  /** Rings `grown` when readers can see more. */
  readonly events = new EventEmitter().setMaxListeners(0);
  private readonly entries: Entry[] = [];
  /** For each stream the indices of its entries; the revision is the place in the list. */
  private readonly streams = new Map<string, number[]>();
  private end = FIRST_POSITION;
  private visible = 0;
  private file: LogFile | undefined;

  /** Keeps everything in `path` when there is one, else in memory. */
  static async open(path?: string): Promise<EsdbLog> {
    const log = new EsdbLog();
    if (path !== undefined) log.file = await LogFile.open(path, (payload) => log.load(payload));
    log.visible = log.entries.length;
    return log;
  }

  /** Judges and keeps, at once; acknowledged is only what {@link durable} has waited for. */
  append(stream: string, expected: Expected, proposed: readonly Proposed[], nowMs: number): Verdict {
    const places = this.streams.get(stream) ?? [];
    const current = places.length - 1;
    if (expected !== 'any' && !meets(expected, current)) return this.repeated(places, expected, proposed) ?? { kind: 'wrong-revision', current };
    const earlier = expected === 'any' ? this.repeated(places, places.length - 1 - proposed.length, proposed) : undefined;
    if (earlier) return earlier;
    const entries = proposed.map((event, at) => {
      const position = this.end;
      this.end += RECORD_OVERHEAD + Buffer.byteLength(stream) + event.data.length + event.metadata.length;
      return encodeEntry(event, { stream, revision: current + 1 + at, position, nowMs });
    });
    for (const entry of entries) this.add(entry);
    if (entries.length > 0) this.file?.write(frameOf(entries));
    const last = entries.at(-1);
    return { kind: 'kept', revision: current + entries.length, position: last?.position ?? this.end };
  }

  /** Resolves when what was appended so far is on the disk and can be read. */
  async durable(): Promise<void> {
    const upTo = this.entries.length;
    await this.file?.flushed();
    if (upTo <= this.visible) return;
    this.visible = upTo;
    this.events.emit('grown');
  }

  /** Revision of the last readable event, -1 without one. */
  head(stream: string): number {
    const places = this.streams.get(stream) ?? [];
    let head = places.length - 1;
    while (head >= 0 && (places[head] as number) >= this.visible) head -= 1;
    return head;
  }

  at(stream: string, revision: number): Entry | undefined {
    const index = this.streams.get(stream)?.[revision];
    return index === undefined ? undefined : this.byIndex(index);
  }

  /** Readable events of all streams. */
  get length(): number { return this.visible; }

  byIndex(index: number): Entry | undefined {
    return index < this.visible ? this.entries[index] : undefined;
  }

  /** Index of the first readable entry at or behind a position. */
  indexFrom(position: bigint): number {
    let [low, high] = [0, this.visible];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (BigInt((this.entries[middle] as Entry).position) < position) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  async close(): Promise<void> {
    await this.file?.close();
    this.file = undefined;
  }

  /** The answer to an append whose events stand, all of them and in order, right behind the revision it names. */
  private repeated(places: readonly number[], expected: Expected, proposed: readonly Proposed[]): Verdict | undefined {
    const first = expected === 'no-stream' ? 0 : typeof expected === 'number' ? expected + 1 : -1;
    if (first < 0 || proposed.length === 0) return undefined;
    const stored = places.slice(first, first + proposed.length).map((index) => this.entries[index] as Entry);
    const last = stored[proposed.length - 1];
    const same = last && proposed.every((event, at) => stored[at]?.id === event.id);
    return same ? { kind: 'kept', revision: last.revision, position: last.position } : undefined;
  }

  private add(entry: Entry): void {
    const index = this.entries.push(entry) - 1;
    const places = this.streams.get(entry.stream);
    if (places) places.push(index);
    else this.streams.set(entry.stream, [index]);
  }

  private load(payload: Buffer): void {
    for (let at = 0; at < payload.length;) {
      const size = payload.readUInt32BE(at);
      const entry = decodeEntry(Buffer.from(payload.subarray(at + 4, at + 4 + size)));
      this.add(entry);
      this.end = entry.position + RECORD_OVERHEAD + size;
      at += 4 + size;
    }
  }
}

function meets(expected: Exclude<Expected, 'any'>, current: number): boolean {
  if (expected === 'no-stream') return current === -1;
  if (expected === 'stream-exists') return current >= 0;
  return current === expected;
}

/** One append is one frame, so that it comes back whole or not at all. */
function frameOf(entries: readonly Entry[]): Buffer {
  return Buffer.concat(entries.flatMap(({ encoded }) => {
    const size = Buffer.alloc(4);
    size.writeUInt32BE(encoded.length);
    return [size, encoded];
  }));
}
