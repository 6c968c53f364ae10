import type { EventStore, EventToAppend } from '@ponte/event-sourcing';
import { eventId } from '@ponte/event-sourcing';
import { accountLife } from './account-life';
import { orderLife } from './order-life';
import { depositLife } from './pix-life';
import type { Life } from './world';
import { World } from './world';

/** Lives that move at the same time, each at its own pace: so the events of an order lie among those of hundreds of others. */
const AT_ONCE = 400;
/** Events of a customer, of its three wallets and of what it took to open them. */
const EVENTS_OF_AN_ACCOUNT = 18;
/** So much of the log is about customers, the rest about what they do. */
const SHARE_OF_ACCOUNTS = 0.12;
/** Beside each ten orders a deposit comes. */
const DEPOSITS = 10;
const APPENDS_AT_ONCE = 2_000;
const SEED = 20_260_101;

/** Fills an empty log with so many events: what a busy installation would have written, the same at each run. Answers them by category. */
export async function writeHistory(store: EventStore, count: number): Promise<ReadonlyMap<string, number>> {
  const accounts = Math.max(1, Math.floor((count * SHARE_OF_ACCOUNTS) / EVENTS_OF_AN_ACCOUNT));
  const world = new World(SEED, accounts);
  const heads = new Map<string, number>();
  const categories = new Map<string, number>();
  const lives: Life[] = [];
  let begun = 0;
  let waiting: Promise<unknown>[] = [];
  for (let written = 0; written < count;) {
    while (lives.length < AT_ONCE) lives.push(next(world, begun++, accounts));
    const at = world.seeded.below(lives.length);
    const { value: step } = (lives[at] as Life).next();
    if (!step) {
      lives[at] = next(world, begun++, accounts);
      continue;
    }
    world.tick();
    const head = heads.get(step.stream) ?? -1;
    waiting.push(store.append(step.stream, head, step.events.map((event, index) => recorded(world, step.stream, head + 1, event, index, step.events.length))));
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

/** The customers come first, as they must. */
function next(world: World, number: number, accounts: number): Life {
  if (number < accounts) return accountLife(world, number);
  return number % DEPOSITS === 0 ? depositLife(world, number) : orderLife(world, number);
}

function recorded(world: World, stream: string, first: number, { type, data }: { type: string; data: object }, index: number, count: number): EventToAppend {
  const commandId = world.seeded.id('command', stream, first);
  return { id: eventId(commandId, index), type, version: 1, data, meta: { commandId, index, count, occurredAt: world.now(), correlationId: commandId } };
}
