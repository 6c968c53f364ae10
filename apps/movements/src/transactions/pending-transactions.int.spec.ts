import { join } from 'node:path';
import { openSqliteReadModels } from '@ponte/eventstore-sqlite';
import { temporaryFolder } from '@ponte/testing';
import { PendingTransactions } from './pending-transactions.read-model';

const KEY = { chain: 'eth-base', sender: '0xa', minedCount: 7 } as const;
const SINCE = '2026-03-02T12:00:00.000Z';

describe('signed transactions that the chain waits for', () => {
  it('are found despite any number of unsigned payments that wait for the treasury', async () => {
    const readModels = openSqliteReadModels(join(temporaryFolder().path, 'read-models.db'), 'off');
    const pending = new PendingTransactions(readModels);
    await pending.onModuleInit();
    const row = { revision: 1, chain: KEY.chain, sender: KEY.sender, since: SINCE, correlation_id: 'c' } as const;
    const waiting = Array.from({ length: 5 }, (_, at) => ({ ...row, id: `w${at}`, nonce: null, tx_hash: null }));
    const rows = [...waiting, { ...row, id: 'stuck', nonce: 7, tx_hash: '0x1' }];
    await pending.table.write([{ put: rows }]);
    expect((await pending.unmined(KEY, SINCE, 5)).map(({ id }) => id)).toEqual(['stuck']);
    await readModels.destroy();
  });
});
