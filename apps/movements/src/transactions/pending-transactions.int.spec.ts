import { join } from 'node:path';
import { openSqliteReadModels } from '@ponte/eventstore-sqlite';
import { temporaryFolder } from '@ponte/testing';
import { PendingPages } from './pending-pages';
import { PendingTransactions } from './pending-transactions.read-model';

const KEY = { chain: 'eth-base', sender: '0xa', minedCount: 7 } as const;
const SINCE = '2026-03-02T12:00:00.000Z';

const row = { revision: 1, chain: KEY.chain, sender: KEY.sender, since: SINCE, correlation_id: 'c' } as const;
const unsigned = (count: number, since: string = SINCE) =>
  Array.from({ length: count }, (_, at) => ({ ...row, id: `w${at}`, since, nonce: null, tx_hash: null }));
const signed = (...nonces: number[]) =>
  nonces.map((nonce) => ({ ...row, id: `s${nonce}`, nonce, tx_hash: `0x${nonce}` }));
const idsOf = (rows: readonly { readonly id: string }[]) => rows.map(({ id }) => id);

let readModels: ReturnType<typeof openSqliteReadModels>;
let pending: PendingTransactions;
beforeEach(async () => {
  readModels = openSqliteReadModels(join(temporaryFolder().path, 'read-models.db'), 'off');
  pending = new PendingTransactions(readModels);
  await pending.onModuleInit();
});
afterEach(() => readModels.destroy());

describe('signed transactions that the chain waits for', () => {
  it('are found despite any number of unsigned payments that wait for the treasury', async () => {
    await pending.table.write([{ put: [...unsigned(5), ...signed(7)] }]);
    expect(idsOf(await pending.unmined(KEY, SINCE, 5))).toEqual(['s7']);
  });

  it('are sent again in every round, whatever number of transactions cannot be signed', async () => {
    await pending.table.write([{ put: [...unsigned(5), ...signed(8, 7, 6)] }]);
    const pages = new PendingPages(pending, { used: 2, unsent: 2 });
    const rounds = [];
    for (let round = 0; round < 4; round += 1) rounds.push(idsOf(await pages.unsent(KEY, SINCE)));
    expect(rounds).toEqual([
      ['s7', 's8', 'w0', 'w1'],
      ['s7', 's8', 'w2', 'w3'],
      ['s7', 's8', 'w4'],
      ['s7', 's8', 'w0', 'w1'],
    ]);
  });

  it('are not sent again before they have waited for a round', async () => {
    await pending.table.write([{ put: [...unsigned(1, '2026-03-02T12:00:00.001Z'), ...signed(7)] }]);
    const pages = new PendingPages(pending, { used: 2, unsent: 2 });
    expect(idsOf(await pages.unsent(KEY, SINCE))).toEqual(['s7']);
  });
});

describe('transactions that the chain has mined', () => {
  const read = async (pages: PendingPages) => {
    const found = [];
    for await (const one of pages.used(KEY)) found.push(one);
    return idsOf(found);
  };

  it('are all found in a round, and the lowest ones after each change', async () => {
    await pending.table.write([{ put: [...unsigned(1), ...signed(0, 1, 2, 3, 4, 7)] }]);
    const pages = new PendingPages(pending, { used: 2, unsent: 2 });
    expect(await read(pages)).toEqual([]);
    pages.changed();
    expect(await read(pages)).toEqual(['s0', 's1']);
    pages.readAll();
    pages.changed();
    expect(await read(pages)).toEqual(['s0', 's1', 's2', 's3', 's4']);
    expect(await read(pages)).toEqual([]);
  });
});
