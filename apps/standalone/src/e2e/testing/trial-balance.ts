import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { openEventStoreDb } from '@ponte/eventstore-eventstoredb';
import { openSqliteEventStore } from '@ponte/eventstore-sqlite';
import type {
  DepositPostedAndHeld,
  DepositReversed,
  ExchangePosted,
  HoldPlaced,
  HoldReleased,
  Posting,
  TokenMovementPosted,
  WithdrawalPosted,
} from '@ponte/contracts';
import type { EventStore, Recorded } from '@ponte/event-sourcing';
import type { AssetId } from '@ponte/kernel';
import { Money } from '@ponte/kernel';
import { startEsdbServer } from '@ponte/testing';
import { placesIn } from './cluster-engines';

/** Reads all events of a stopped cluster in log order. */
export const readLog = (dataDirectory: string): Promise<Recorded[]> => openLog(dataDirectory).then(readAndClose);

/** Reads all events of a running cluster of processes in log order. */
export const readRunningLog = async (dataDirectory: string): Promise<Recorded[]> =>
  readAndClose(await connected(placesIn(dataDirectory).ESDB_URL));

interface OpenLog {
  readonly store: EventStore;
  close(): Promise<void>;
}

async function readAndClose({ store, close }: OpenLog): Promise<Recorded[]> {
  const events = await eventsOf(store);
  await close();
  return events;
}

/** Reads all events of a store in log order. */
export async function eventsOf(store: EventStore): Promise<Recorded[]> {
  const events: Recorded[] = [];
  const subscription = store.subscribe();
  for await (const slice of subscription) {
    events.push(...slice.events);
    if (slice.caughtUp) break;
  }
  await subscription.close();
  return events;
}

/** Opens the file of the embedded cluster or of the event store's server. */
async function openLog(dataDirectory: string): Promise<OpenLog> {
  const served = join(dataDirectory, 'event-store.log');
  if (!existsSync(served)) {
    const store = openSqliteEventStore({ file: join(dataDirectory, 'events.db') });
    return { store, close: () => store.close() };
  }
  const server = await startEsdbServer({ file: served, faulty: false });
  const { store, close } = await connected(server.connectionString);
  return { store, close: () => close().then(() => server.stop()) };
}

async function connected(connectionString: string): Promise<OpenLog> {
  const store = await openEventStoreDb({ connectionString, logger: { warn: () => undefined, error: () => undefined } });
  return { store, close: () => store.close() };
}

export const ofType = <T>(log: readonly Recorded[], type: string): (Recorded & { readonly data: T })[] =>
  log.filter((event) => event.type === type) as (Recorded & { readonly data: T })[];

/** The books computed from the log without the ledger's code. */
interface TrialBalance {
  /** The position of the first event after which an asset did not sum to zero, or null. */
  readonly unbalancedAt: string | null;
  /** Amounts by `<account> <asset>`. */
  readonly lines: ReadonlyMap<string, Money>;
  readonly openHolds: readonly string[];
}

export function trialBalanceOf(log: readonly Recorded[]): TrialBalance {
  const lines = new Map<string, Money>();
  const open = new Set<string>();
  let unbalancedAt: string | null = null;
  for (const event of log) {
    moveHolds(event, open);
    const { postings } = event.data as { postings?: readonly Posting[] };
    if (!postings) continue;
    for (const { account, asset, amount } of postings) {
      const line = `${account} ${asset}`;
      lines.set(line, (lines.get(line) ?? Money.zero(asset)).plus(Money.stored(asset, amount)));
    }
    if (!sums(lines).every((sum) => sum.isZero())) unbalancedAt ??= event.position;
  }
  return { unbalancedAt, lines, openHolds: [...open] };
}

function moveHolds(event: Recorded, open: Set<string>): void {
  switch (event.type) {
    case 'HoldPlaced':
      open.add((event.data as HoldPlaced['data']).hold.holdId);
      break;
    case 'DepositPostedAndHeld':
      open.add((event.data as DepositPostedAndHeld['data']).hold.holdId);
      break;
    case 'HoldReleased':
      open.delete((event.data as HoldReleased['data']).holdId);
      break;
    case 'TokenMovementPosted':
      open.delete((event.data as TokenMovementPosted['data']).holdId);
      break;
    case 'ExchangePosted': {
      const { holdId, deliveryHold } = event.data as ExchangePosted['data'];
      open.delete(holdId);
      if (deliveryHold) open.add(deliveryHold.holdId);
      break;
    }
    case 'WithdrawalPosted':
      open.delete((event.data as WithdrawalPosted['data']).holdId);
      break;
    case 'DepositReversed':
      open.delete((event.data as DepositReversed['data']).holdId ?? '');
      break;
  }
}

function sums(lines: ReadonlyMap<string, Money>): Money[] {
  const totals = new Map<AssetId, Money>();
  for (const [line, amount] of lines) {
    const asset = line.split(' ')[1] as AssetId;
    totals.set(asset, (totals.get(asset) ?? Money.zero(asset)).plus(amount));
  }
  return [...totals.values()];
}
