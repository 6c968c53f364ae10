import type { TransactionPurpose } from '@ponte/contracts';
import { pino } from 'pino';
import type { IntendedTransaction } from '../transactions/chain-transaction.state';
import { AgreedSales } from './agreed-sales';

const PLACE = { blockHash: '0x1', confirmations: 1 } as const;
const trace = { correlationId: 'c', actor: 'chain-watcher' };

/** Nodes that agree unless a test says otherwise, and the ids in the log. */
function given() {
  const warned: string[] = [];
  const logger = pino(
    { level: 'warn' },
    { write: (line: string) => void warned.push((JSON.parse(line) as { transactionId: string }).transactionId) },
  );
  const nodes = { agree: true };
  const evm = { chain: 'eth-base', agreedMined: async () => nodes.agree } as const;
  const sales = new AgreedSales(logger);
  const waits = (transactionId: string, kind: 'mint' | 'redemption' = 'redemption') => {
    const purpose = { kind, id: 'p', orderId: 'o', accountId: 'a' } as TransactionPurpose;
    const intent = { transactionId, chain: 'eth-base', from: '0x', purpose, intendedAt: '2026-01-01T00:00:00.000Z' };
    return sales.waits(evm, { status: 'intended', intent, funded: false } as IntendedTransaction, '0x2', PLACE, trace);
  };
  return { nodes, warned, waits };
}

describe('A sale that only one node has', () => {
  it('is named once in the log, however often it is checked', async () => {
    const { nodes, warned, waits } = given();
    nodes.agree = false;
    for (let check = 0; check < 5; check += 1) expect(await waits('one')).toBe(true);
    for (let check = 0; check < 5; check += 1) expect(await waits('other')).toBe(true);
    expect(warned).toEqual(['one', 'other']);
    nodes.agree = true;
    expect(await waits('one')).toBe(false);
  });

  it('is not logged when the second node is only a moment behind', async () => {
    const { nodes, warned, waits } = given();
    nodes.agree = false;
    expect(await waits('one')).toBe(true);
    nodes.agree = true;
    expect(await waits('one')).toBe(false);
    expect(warned).toEqual([]);
  });

  it('waits, but a purchase does not', async () => {
    const { nodes, warned, waits } = given();
    nodes.agree = false;
    for (let check = 0; check < 5; check += 1) expect(await waits('mint', 'mint')).toBe(false);
    expect(warned).toEqual([]);
  });
});
