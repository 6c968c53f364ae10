import 'reflect-metadata';
import { join } from 'node:path';
import { openSqliteReadModels } from '@ponte/eventstore-sqlite';
import { eventually, temporaryFolder } from '@ponte/testing';
import type { Logger } from 'pino';
import type { MovementsSettings } from '../movements-settings.port';
import { SimulatedSigner } from '../signer/adapters/simulated.keystore.adapter';
import type { Signer } from '../signer/signer.port';
import { movementsForEachTest } from '../testing/movements-for-each-test';
import { PendingTransactions } from '../transactions/pending-transactions.read-model';
import { UnfinalTransactions } from '../finality/unfinal-transactions.read-model';
import { PendingByKey } from './pending-by-key.service';

const BASE = { chain: 'eth-base' } as const;
const METRIC = 'ponte_operator_pending_transactions';
const tests = movementsForEachTest();

describe('transactions of a key that movements does not have', () => {
  it('are counted while they are unsigned, and end once movements has the key again', async () => {
    const before = tests.open();
    await (await before.start()).diesAfter('TransactionIntended', 'waiting');

    const replaced = tests.open({ beside: before, keys: new SimulatedSigner('replaced') });
    await replaced.start();
    await eventually(async () => expect(await replaced.gauge(METRIC, { ...BASE, operator: 'unknown' })).toBe(1));
    expect(await replaced.gauge(METRIC, { ...BASE, operator: 'operator' })).toBe(0);
    expect(await replaced.gauge(METRIC, { chain: 'tempo', operator: 'unknown' })).toBe(0);
    await replaced.mint('new');
    expect((await replaced.ended('new')).state).toBe('completed');
    expect((await replaced.mintOf('waiting')).state).toBe('created');
    await replaced.stop();

    await before.start();
    expect((await before.ended('waiting')).state).toBe('completed');
    await eventually(async () => expect(await before.gauge(METRIC, { ...BASE, operator: 'unknown' })).toBe(0));
  });
});

describe('the report about keys that movements does not have', () => {
  const error = jest.fn();
  let readModels: ReturnType<typeof openSqliteReadModels>;
  let pending: PendingTransactions;
  let byKey: PendingByKey;

  const row = (id: string, sender: string, chain: 'eth-base' | 'tempo' = 'eth-base') => {
    const since = '2026-03-02T12:00:00.000Z';
    return { id, revision: 1, chain, sender, since, correlation_id: `of ${id}`, nonce: null, tx_hash: null };
  };

  beforeEach(async () => {
    error.mockClear();
    readModels = openSqliteReadModels(join(temporaryFolder().path, 'read-models.db'), 'off');
    pending = new PendingTransactions(readModels);
    await pending.onModuleInit();
    const unfinal = new UnfinalTransactions(readModels);
    const settings = { heldKeyIds: ['operator'] } as unknown as MovementsSettings;
    const logger = { error } as unknown as Logger;
    byKey = new PendingByKey(pending, unfinal, new SimulatedSigner() as unknown as Signer, settings, logger);
  });
  afterEach(() => readModels.destroy());

  it('names the key and one of its transactions, once, when two rounds have found the same one', async () => {
    const known = await new SimulatedSigner().addressOf('operator');
    await pending.table.write([{ put: [row('b', '0xa'), row('a', '0xa'), row('c', known), row('d', '0xb', 'tempo')] }]);
    await byKey.report('eth-base');
    expect(error).not.toHaveBeenCalled();
    for (let round = 0; round < 3; round += 1) await byKey.report('eth-base');
    expect(error.mock.calls).toEqual([
      [
        { 'correlation-id': 'of a', chain: 'eth-base', address: '0xa', transactions: 2, transactionId: 'a' },
        'unfinished transactions name a key that movements does not have; those that are not signed wait until it has the key',
      ],
    ]);
  });

  it('is not made about transactions that a rebuilt read model removes again', async () => {
    for (const id of ['a', 'b', 'c']) {
      await pending.table.write([{ put: [row(id, '0xa')] }]);
      await byKey.report('eth-base');
      await pending.table.write([{ remove: id }]);
    }
    expect(error).not.toHaveBeenCalled();
  });
});
