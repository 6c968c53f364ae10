import { Aggregates } from '@ponte/event-sourcing';
import { MemoryEventStore, MemoryLog } from '@ponte/testing';
import { Metrics } from '@ponte/observability';
import type { Logger } from 'pino';
import type { ServedChain } from '../chain/served-chains.port';
import { FinalityChecker } from '../finality/finality-checker.service';
import { AT, bytes, chain, intend, mined, transactionId } from '../transactions/chain-transaction.testing';
import { ChainTransactions } from '../transactions/chain-transactions.service';
import type { LossReports } from './loss-reports.service';

const trace = { correlationId: 'c', actor: 'test' };
const log = new MemoryLog();
/** The streams as one of several processes knows them. */
const process = (): ChainTransactions => {
  const store = new MemoryEventStore({ log, soleWriter: false });
  const aggregates = new Aggregates({ store, systemNow: () => 0, pause: async () => undefined });
  return new ChainTransactions(aggregates, { now: () => Date.parse(AT) });
};
const minedTransaction = {
  status: 'mined',
  succeeded: true,
  blockNumber: 9,
  blockHash: '0xb',
  blockTime: 0,
  confirmations: 12,
};
const served = {
  evm: { chain, transaction: async () => ({ ...minedTransaction, final: false }) },
  confirmations: 12,
} as unknown as ServedChain;

it('a transaction that is mined again is restored by a process that missed its confirmation and its reorg', async () => {
  const [sender, watcher] = [process(), process()];
  await sender.intend(transactionId, intend(), { commandId: 'intend', ...trace });
  await sender.execute(transactionId, { kind: 'sign', signed: bytes }, 'sign', trace);
  await watcher.execute(transactionId, { kind: 'confirm', mined, final: false, at: AT }, 'confirm', trace);
  await watcher.execute(transactionId, { kind: 'reorg', blockHash: '0xb', at: AT }, 'reorg 1', trace);

  const checker = new FinalityChecker(sender, {} as LossReports, new Metrics(), {} as Logger);
  const first = await checker.settle(served, transactionId, '0xa', trace);
  if (first.kind !== 'ended')
    expect(await checker.settle(served, transactionId, '0xa', trace)).toEqual({ kind: 'ended' });
  expect(
    log
      .slice(0, log.length)
      .map(({ type }) => type)
      .slice(-2),
  ).toEqual(['ReorgedAfterCompletion', 'TransactionRestored']);
});
