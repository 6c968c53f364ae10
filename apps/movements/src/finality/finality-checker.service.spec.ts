import { Aggregates } from '@ponte/event-sourcing';
import { MemoryEventStore, MemoryLog } from '@ponte/testing';
import { Metrics } from '@ponte/observability';
import { pino } from 'pino';
import type { FinalityQuestion, FinalReceipt, Hex, MinedTransaction } from '../chain/chain.port';
import type { ServedChain } from '../chain/served-chains.port';
import type { LossReports } from '../reorg/loss-reports.service';
import { AT, bytes, chain, intend, transactionId } from '../transactions/chain-transaction.testing';
import { ChainTransactions } from '../transactions/chain-transactions.service';
import { FinalityChecker } from './finality-checker.service';

const OURS = bytes.txHash as Hex;
const FOREIGN = '0xe';
const trace = { correlationId: 'c', actor: 'test' };

const mined = (succeeded: boolean): MinedTransaction => ({
  ...{ status: 'mined', succeeded, revertReason: succeeded ? null : 'why', feePaid: 1n },
  ...{ blockNumber: 9, blockHash: '0xb', blockTime: Date.parse(AT), confirmations: 12, final: false },
});
const receipt = (hash: Hex, succeeded: boolean): FinalReceipt => ({
  ...{ hash, succeeded, blockNumber: 9, blockHash: '0xb' },
});

/** A signed mint, and nodes whose answers a test changes. Nothing is mined yet. */
async function given() {
  const log = new MemoryLog();
  const aggregates = new Aggregates({
    store: new MemoryEventStore({ log }),
    systemNow: () => 0,
    pause: async () => undefined,
  });
  const transactions = new ChainTransactions(aggregates, { now: () => Date.parse(AT) });
  await transactions.intend(transactionId, intend(), { commandId: 'intend', ...trace });
  await transactions.execute(transactionId, { kind: 'sign', signed: bytes }, 'sign', trace);
  const nodes = {
    /** What the newest block has. */
    mined: new Map<Hex, MinedTransaction>(),
    taken: false,
    takenIn: null as Hex | null,
    isSameMovement: true,
    /** What the final block has. */
    final: { minedCount: bytes.nonce, receipts: [] as readonly FinalReceipt[], referenceTaken: false },
  };
  const evm = {
    chain,
    transaction: async (hash: Hex) => nodes.mined.get(hash) ?? { status: 'missing' },
    taken: async () => nodes.taken,
    takenIn: async () => nodes.takenIn,
    agreedMined: async () => false,
    agreedMovement: async () => nodes.isSameMovement,
    atFinality: async ({ hashes }: FinalityQuestion) => ({
      ...nodes.final,
      receipts: nodes.final.receipts.filter(({ hash }) => hashes.includes(hash)),
    }),
  };
  const served = { evm, confirmations: 12 } as unknown as ServedChain;
  const checker = new FinalityChecker(transactions, {} as LossReports, new Metrics(), pino({ level: 'silent' }));
  return {
    nodes,
    settle: () => checker.settle(served, transactionId, OURS, trace),
    supersede: () => checker.supersede(served, transactionId, trace),
    /** What was recorded after the transaction was signed. */
    recorded: () => log.slice(2, log.length).map(({ type, data }) => ({ type, data: data as object })),
  };
}

/** The two ways to find that our bytes did not have the effect, and what a final block then shows of them. */
const FAILURES = [
  ['was reverted', 'settle', [receipt(OURS, false)], 'TransactionReverted'],
  ['lost its nonce to another transaction', 'supersede', [], 'TransactionSuperseded'],
] as const;

describe.each(FAILURES)('A transaction that %s', (_, check, receipts, failed) => {
  const FINAL = { minedCount: bytes.nonce + 1, receipts, referenceTaken: false } as const;
  /** A transaction whose failure the newest block shows, with enough confirmations. */
  async function failing() {
    const under = await given();
    if (check === 'settle') under.nodes.mined.set(OURS, mined(false));
    return under;
  }
  /** The same, and another transaction has had its effect. */
  async function servedByAnother() {
    const under = await failing();
    Object.assign(under.nodes, { taken: true, takenIn: FOREIGN, final: FINAL });
    under.nodes.mined.set(FOREIGN, mined(true));
    return under;
  }

  it('fails only when a final block shows it, because a reorg can still remove the block', async () => {
    const under = await failing();
    for (let round = 0; round < 3; round += 1)
      expect(await under[check]()).toEqual({ kind: 'unfinal', readyAt: Number.POSITIVE_INFINITY });
    expect(under.recorded()).toEqual([]);
    under.nodes.final = FINAL;
    expect(await under[check]()).toEqual({ kind: 'ended' });
    expect(under.recorded()).toMatchObject([{ type: failed }]);
  });

  it('does not fail while its reference is taken in a transaction that is not found', async () => {
    const under = await failing();
    Object.assign(under.nodes, { taken: true, final: FINAL });
    expect(await under[check]()).toEqual({ kind: 'missing' });
    under.nodes.takenIn = FOREIGN;
    expect(await under[check]()).toEqual({ kind: 'missing' });
    expect(under.recorded()).toEqual([]);
  });

  it('is neither failed nor confirmed while the transaction that had its effect is not final', async () => {
    const under = await servedByAnother();
    const unfinal = { kind: 'unfinal', readyAt: Number.POSITIVE_INFINITY };
    expect(await under[check]()).toEqual(unfinal);
    // The two answers of the final block contradict each other.
    under.nodes.final = { ...FINAL, referenceTaken: true };
    expect(await under[check]()).toEqual(unfinal);
    under.nodes.final = { ...FINAL, receipts: [...receipts, receipt(FOREIGN, true)] };
    expect(await under[check]()).toEqual(unfinal);
    expect(under.recorded()).toEqual([]);
  });

  it('is neither failed nor confirmed when the final transaction that took its reference made another movement', async () => {
    const under = await servedByAnother();
    under.nodes.isSameMovement = false;
    under.nodes.final = { ...FINAL, receipts: [...receipts, receipt(FOREIGN, true)], referenceTaken: true };
    expect(await under[check]()).toEqual({ kind: 'misused', readyAt: Number.POSITIVE_INFINITY });
    expect(under.recorded()).toEqual([]);
  });

  it('is confirmed by another transaction that had its effect, once that one is final', async () => {
    const under = await servedByAnother();
    under.nodes.final = { ...FINAL, receipts: [...receipts, receipt(FOREIGN, true)], referenceTaken: true };
    expect(await under[check]()).toEqual({ kind: 'ended' });
    expect(under.recorded()).toMatchObject([{ type: 'TransactionConfirmed', data: { txHash: FOREIGN, final: true } }]);
  });
});
