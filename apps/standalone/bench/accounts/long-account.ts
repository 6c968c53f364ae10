import { join } from 'node:path';
import type { LedgerAccountCommand } from '../../../ledger/src/ledger-account/ledger-account.commands';
import { ledgerAccount } from '../../../ledger/src/ledger-account/ledger-account.decider';
import { openSqliteEventStore, openSqliteSnapshots } from '@ponte/eventstore-sqlite';
import type { CommandContext, EventStore, EventToAppend } from '@ponte/event-sourcing';
import { Aggregates, fold, streamName } from '@ponte/event-sourcing';
import { derivedId } from '@ponte/kernel';

export const LONG_ACCOUNT = derivedId('bench', 'long account');
const DAYS = 29;
const DAY_MS = 24 * 60 * 60 * 1000;
const FIRST_DAY = Date.parse('2026-10-01T00:00:00.000Z');
const BATCH = 500;

export const depositOf = (
  at: string,
  now = new Date(FIRST_DAY + DAYS * DAY_MS).toISOString(),
): LedgerAccountCommand => ({
  kind: 'post-deposit',
  accountId: LONG_ACCOUNT,
  depositId: derivedId('bench deposit', at),
  credit: { asset: 'fiat/brl', amount: '1.00' },
  hold: null,
  now,
});

export const contextOf = (commandId: string): CommandContext => ({
  commandId,
  correlationId: commandId,
  now: () => new Date(FIRST_DAY).toISOString(),
});

/**
 * Appends `count` deposits to one account, all within the period for which ids are remembered, so that its state is as
 * large as it can get.
 */
export async function writeLongAccount(store: EventStore, count: number): Promise<void> {
  for (let from = 0; from < count; from += BATCH) {
    const events: EventToAppend[] = [];
    for (let at = from; at < Math.min(count, from + BATCH); at += 1) {
      const now = new Date(FIRST_DAY + Math.floor((at / count) * DAYS * DAY_MS)).toISOString();
      for (const { type, data } of ledgerAccount.decide(depositOf(String(at), now), ledgerAccount.initial)) {
        const commandId = derivedId('bench command', String(at));
        events.push({
          id: derivedId('bench event', String(at)),
          type,
          version: 1,
          data,
          meta: { commandId, index: 0, count: 1, occurredAt: now, correlationId: commandId },
        });
      }
    }
    await store.append(streamName(ledgerAccount.category, LONG_ACCOUNT), from - 1, events);
  }
}

/** Opens the event store and the snapshot store of a folder, and aggregates that use them. */
export function openAccounts(folder: string) {
  const store = openSqliteEventStore({ file: join(folder, 'events.db'), writes: 'thread' });
  const snapshots = openSqliteSnapshots(join(folder, 'snapshots.db'));
  const failed = (stream: string, error: unknown): void =>
    void process.stderr.write(`snapshot of ${stream}: ${String(error)}\n`);
  const aggregates = new Aggregates({
    store,
    snapshots,
    snapshotFailed: failed,
    systemNow: Date.now,
    pause: async () => undefined,
  });
  return {
    store,
    snapshots,
    aggregates,
    async close() {
      await snapshots.close();
      await store.close();
    },
  };
}

/** The state of an account with `count` remembered ids and nothing else. */
export const stateWithIds = (count: number) =>
  fold(
    ledgerAccount,
    ledgerAccount.initial,
    (function* deposits() {
      for (let at = 0; at < count; at += 1) yield* ledgerAccount.decide(depositOf(String(at)), ledgerAccount.initial);
    })(),
  );
