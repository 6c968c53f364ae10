import { join } from 'node:path';
import type { EventStore, EventToAppend, Recorded } from '@ponte/event-sourcing';
import { categoryOf } from '@ponte/event-sourcing';
import { openSqliteEventStore } from '@ponte/eventstore-sqlite';
import { runDemo } from '../../src/demo/demo';

/** The number of copies written at a time, so that the events of an order are interleaved with those of others. */
const AT_ONCE = 100;
const APPENDS_AT_ONCE = 2_000;
/** The first digits of an id in hex: of a UUID with or without dashes, or of a longer number such as an address. */
const HEX_ID = /(?<![0-9a-f])[0-9a-f]{8}(?=-[0-9a-f]{4}-|[0-9a-f]{12})/gi;
/** The first digits of an id in capital letters and digits: of a file or of a static Pix code. */
const COMPACT_ID = /(?<![0-9A-Z])[0-9A-Z]{5}(?=[0-9A-Z]{20,21}(?![0-9A-Z]))/g;

/**
 * Fills an empty log with `count` events: those of the demo, recorded once in `folder` and then
 * copied with other ids. Returns the number of events by category.
 */
export async function writeHistory(store: EventStore, count: number, folder: string): Promise<Map<string, number>> {
  const demo = await record(folder);
  const copies = Math.ceil(count / demo.events);
  const heads = new Map<string, number>();
  const categories = new Map<string, number>();
  let waiting: Promise<unknown>[] = [];
  let written = 0;
  for (let first = 0; first < copies; first += AT_ONCE)
    for (const text of demo.appends)
      for (let copy = first; copy < Math.min(first + AT_ONCE, copies) && written < count; copy += 1) {
        const { stream, events } = JSON.parse(copied(text, copy)) as Append;
        const head = heads.get(stream) ?? -1;
        waiting.push(store.append(stream, head, events));
        heads.set(stream, head + events.length);
        written += events.length;
        const category = categoryOf(stream);
        categories.set(category, (categories.get(category) ?? 0) + events.length);
        if (waiting.length >= APPENDS_AT_ONCE) {
          await Promise.all(waiting);
          waiting = [];
        }
      }
  await Promise.all(waiting);
  return categories;
}

/** Events of one stream that were appended together. */
interface Append {
  readonly stream: string;
  readonly events: EventToAppend[];
}

/** Runs the demo and returns the number of its events and its appends in the order of the log, each as JSON. */
async function record(folder: string): Promise<{ events: number; appends: string[] }> {
  await runDemo(folder, () => undefined);
  const log = openSqliteEventStore({ file: join(folder, 'events.db'), durability: 'off' });
  const appends: Append[] = [];
  for await (const { events, caughtUp } of log.subscribe()) {
    for (const { stream, revision: _, position: __, ...event } of events as Recorded[]) {
      const last = appends.at(-1);
      if (last?.stream === stream && event.meta.index > 0) last.events.push(event);
      else appends.push({ stream, events: [event] });
    }
    if (caughtUp) break;
  }
  await log.close();
  const events = appends.reduce((sum, append) => sum + append.events.length, 0);
  return { events, appends: appends.map((append) => JSON.stringify(append)) };
}

/** Gives each id of the text another one that is the same throughout the copy and in no other copy. */
function copied(text: string, copy: number): string {
  const other = (radix: number) => (digits: string) =>
    ((Number.parseInt(digits, radix) + copy) % radix ** digits.length).toString(radix).padStart(digits.length, '0');
  return text.replace(HEX_ID, other(16)).replace(COMPACT_ID, (digits) => other(36)(digits).toUpperCase());
}
