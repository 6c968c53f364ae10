import type { EventStore, EventToAppend } from '@ponte/event-sourcing';
import { eventId } from '@ponte/event-sourcing';
import { accountLife } from './account-life';
import { orderLife } from './order-life';
import { depositLife } from './pix-life';
import type { Life } from './fixtures';
import { Fixtures } from './fixtures';

/**
 * The number of lives in progress at a time, each at its own pace, so that the events of an order are interleaved with
 * those of hundreds of others.
 */
const AT_ONCE = 400;
/** The events of a customer, its three wallets and its account request. */
const EVENTS_OF_AN_ACCOUNT = 18;
/** The share of events that open accounts; the rest is what the accounts do. */
const SHARE_OF_ACCOUNTS = 0.12;
/** One life in this many is a deposit; the others are orders. */
const DEPOSITS = 10;
const APPENDS_AT_ONCE = 2_000;
const SEED = 20_260_101;

/**
 * Fills an empty log with `count` events as a busy installation would have written them, the same on each run. Returns
 * the number of events by category.
 */
export async function writeHistory(store: EventStore, count: number): Promise<ReadonlyMap<string, number>> {
  const accounts = Math.max(1, Math.floor((count * SHARE_OF_ACCOUNTS) / EVENTS_OF_AN_ACCOUNT));
  const fixtures = new Fixtures(SEED, accounts);
  const heads = new Map<string, number>();
  const categories = new Map<string, number>();
  const lives: Life[] = [];
  let begun = 0;
  let waiting: Promise<unknown>[] = [];
  for (let written = 0; written < count;) {
    while (lives.length < AT_ONCE) lives.push(next(fixtures, begun++, accounts));
    const at = fixtures.seeded.below(lives.length);
    const { value: step } = (lives[at] as Life).next();
    if (!step) {
      lives[at] = next(fixtures, begun++, accounts);
      continue;
    }
    fixtures.tick();
    const head = heads.get(step.stream) ?? -1;
    waiting.push(
      store.append(
        step.stream,
        head,
        step.events.map((event, index) => recorded(fixtures, step.stream, head + 1, event, index, step.events.length)),
      ),
    );
    heads.set(step.stream, head + step.events.length);
    written += step.events.length;
    const category = step.stream.slice(0, step.stream.indexOf('-'));
    categories.set(category, (categories.get(category) ?? 0) + step.events.length);
    if (waiting.length >= APPENDS_AT_ONCE) {
      await Promise.all(waiting);
      waiting = [];
    }
  }
  await Promise.all(waiting);
  return categories;
}

/** Accounts come first, because the other lives need them. */
function next(fixtures: Fixtures, number: number, accounts: number): Life {
  if (number < accounts) return accountLife(fixtures, number);
  return number % DEPOSITS === 0 ? depositLife(fixtures, number) : orderLife(fixtures, number);
}

function recorded(
  fixtures: Fixtures,
  stream: string,
  first: number,
  { type, data }: { type: string; data: object },
  index: number,
  count: number,
): EventToAppend {
  const commandId = fixtures.seeded.id('command', stream, first);
  return {
    id: eventId(commandId, index),
    type,
    version: 1,
    data,
    meta: { commandId, index, count, occurredAt: fixtures.now(), correlationId: commandId },
  };
}
