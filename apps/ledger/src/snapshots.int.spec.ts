import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { setImmediate as immediately } from 'node:timers/promises';
import { openSqliteEventStore, openSqliteSnapshots } from '@ponte/eventstore-sqlite';
import { Aggregates, SNAPSHOT_EVERY } from '@ponte/event-sourcing';
import { derivedId } from '@ponte/kernel';
import { temporaryFolder } from '@ponte/testing';
import type { LedgerAccountCommand } from './ledger-account/ledger-account.commands';
import { ledgerAccount } from './ledger-account/ledger-account.decider';
import { ledgerAccountSnapshots } from './ledger-account/ledger-account.snapshot';

const ACCOUNT = derivedId('test', 'account');
const NOW = '2026-11-20T12:00:00.000Z';
const SAVED_TURNS = 200;
const deposit = (at: number): LedgerAccountCommand => ({
  kind: 'post-deposit',
  accountId: ACCOUNT,
  depositId: derivedId('deposit', String(at)),
  credit: { asset: 'fiat/brl', amount: '1.00' },
  hold: null,
  now: NOW,
});

describe('The snapshots of an account in SQLite', () => {
  const folder = temporaryFolder();
  afterAll(() => folder.remove());

  function open() {
    const store = openSqliteEventStore({ file: join(folder.path, 'events.db'), durability: 'off' });
    const snapshots = openSqliteSnapshots(join(folder.path, 'snapshots.db'), 'off');
    const failures: unknown[] = [];
    const aggregates = new Aggregates({
      store,
      snapshots,
      systemNow: () => 0,
      pause: async () => undefined,
      snapshotFailed: (_, error) => failures.push(error),
    });
    return {
      aggregates,
      failures,
      snapshots,
      close: async () => {
        await snapshots.close();
        await store.close();
      },
    };
  }

  /** The account as a newly started process loads it. */
  async function found() {
    const opened = open();
    const used = await opened.snapshots.load(`ledgerAccount-${ACCOUNT}`);
    const { state, revision } = await opened.aggregates.load(ledgerAccount, ACCOUNT);
    expect(opened.failures).toEqual([]);
    await opened.close();
    const { head, parts } = ledgerAccountSnapshots.encode(state);
    return {
      snapshot: used?.revision,
      state: { revision, head, parts: parts.map((part) => Buffer.from(part).toString('hex')) },
    };
  }

  it('can be deleted without changing the state', async () => {
    const first = open();
    await Promise.all(
      Array.from({ length: SNAPSHOT_EVERY + 50 }, (_, at) => {
        const commandId = derivedId('command', String(at));
        return first.aggregates.handle(ledgerAccount, ACCOUNT, deposit(at), {
          commandId,
          correlationId: commandId,
          now: () => NOW,
        });
      }),
    );
    for (let turn = 0; turn < SAVED_TURNS; turn += 1) await immediately();
    await first.close();
    const withSnapshot = await found();
    expect(withSnapshot.snapshot).toBeGreaterThanOrEqual(SNAPSHOT_EVERY - 1);
    rmSync(join(folder.path, 'snapshots.db'));
    const without = await found();
    expect(without.snapshot).toBeUndefined();
    expect(without.state).toEqual(withSnapshot.state);
  });
});
