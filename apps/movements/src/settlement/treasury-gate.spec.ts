import type { Logger } from 'pino';
import type { EvmChain } from '../chain/chain.port';
import type { DueTransaction } from '../sending/due-transactions';
import type { ChainTransactions } from '../transactions/chain-transactions.service';
import { treasuryWalletId } from '../wallet/wallet.decider';
import { TreasuryGate } from './treasury-gate';
import type { TreasuryReservations } from './treasury-reservations.service';

const SECONDS = 1_000;
const MINUTES = 60 * SECONDS;
const HOURS = 60 * MINUTES;
const LIQUIDITY_MS = 30 * MINUTES;

/** A payment that was requested long before the treasury was asked for it. */
const LATE = {
  funded: false,
  trace: { correlationId: 'c' },
  intent: {
    transactionId: 'late',
    intendedAt: '2026-01-30T00:00:00.000Z',
    purpose: { kind: 'token-movement', asset: 'eth-base/usdc', walletIds: [treasuryWalletId('eth-base')] },
  },
} as unknown as DueTransaction;

/** A gate whose treasury holds nothing, or does not answer while `node.answers` is false. */
function emptyTreasury() {
  let now = Date.parse('2026-01-31T12:00:00.000Z');
  const node = { answers: true };
  const steps: string[] = [];
  const reserve = async () => {
    if (!node.answers) throw new Error('no answer');
    return new Set<string>();
  };
  const transactions = {
    execute: async (id: string, _: unknown, step: string) => {
      steps.push(`${step} ${id}`);
      return { status: 'given-up' };
    },
  };
  const gate = new TreasuryGate({
    evm: { chain: 'eth-base' } as EvmChain,
    transactions: transactions as unknown as ChainTransactions,
    reservations: { reserve } as unknown as TreasuryReservations,
    liquidityMs: LIQUIDITY_MS,
    clock: { now: () => now },
    logger: { warn: () => undefined, error: () => undefined } as unknown as Logger,
  });
  /** The next round, after this time. */
  const round = async (afterMs = 0) => {
    now += afterMs;
    expect(await gate.payable([LATE])).toEqual([]);
  };
  return { gate, node, round, steps };
}

describe('A payment that the treasury cannot make', () => {
  it('waits for the whole limit from the first time that the treasury could not make it, however old it is', async () => {
    const { gate, round, steps } = emptyTreasury();
    await round();
    for (let waitedMs = 30 * SECONDS; waitedMs < LIQUIDITY_MS; waitedMs += 30 * SECONDS) await round(30 * SECONDS);
    expect(steps).toEqual([]);
    expect(gate.waitingPayments()).toEqual([{ asset: 'eth-base/usdc', count: 1 }]);
    await round(30 * SECONDS);
    expect(steps).toEqual(['give-up late']);
    expect(gate.waitingPayments()).toEqual([]);
  });

  it('does not use up its limit while it waits for something else', async () => {
    const { node, round, steps } = emptyTreasury();
    await round();
    node.answers = false;
    await round(HOURS);
    node.answers = true;
    await round(HOURS);
    expect(steps).toEqual([]);
  });

  it('is given up at last even if rounds are rare', async () => {
    const { round, steps } = emptyTreasury();
    await round();
    for (let rounds = 1; rounds < 30; rounds += 1) await round(HOURS);
    expect(steps).toEqual([]);
    await round(HOURS);
    expect(steps).toEqual(['give-up late']);
  });
});
