import { Aggregates } from '@ponte/event-sourcing';
import { MemoryEventStore } from '@ponte/testing';
import type { Hex } from '../chain/chain.port';
import type { ChainTransactions } from '../transactions/chain-transactions.service';
import type { TreasuryChain } from './treasury-reservations.service';
import { TreasuryReservations } from './treasury-reservations.service';

const USDC = 'eth-base/usdc';
const SENDER: Hex = `0x${'ab'.repeat(20)}`;
const NAMES = ['a', 'b', 'c'];
const payment = (transactionId: string) => ({ transactionId, amount: '1.000000' });
/** Signed payments, with ascending nonces from zero. */
const SENT = NAMES.map((name, nonce) => ({ ...payment(name), from: SENDER, nonce }));

/** A treasury whose sender has this many mined transactions, and what was asked of the node. */
function treasuryWith(mined: number) {
  const store = new MemoryEventStore();
  const aggregates = new Aggregates({ store, systemNow: () => 0, pause: async () => undefined });
  const transactions = { load: async () => ({ status: 'absent' }) } as unknown as ChainTransactions;
  const counted: string[] = [];
  const evm: TreasuryChain = {
    chain: 'eth-base',
    walletAddress: () => SENDER,
    headBlock: async () => ({ number: 1, hash: '0x1' }),
    tokensAt: async () => ({ supply: 0n, balances: [100_000_000n] }),
    minedCount: async (sender) => {
      counted.push(sender);
      return mined;
    },
  };
  return { reservations: new TreasuryReservations(aggregates, transactions, { now: () => 0 }), evm, counted };
}

describe('Payments that are sent again', () => {
  it('cost no request to the node while they are reserved', async () => {
    const { reservations, evm, counted } = treasuryWith(0);
    await reservations.reserve(evm, USDC, NAMES.map(payment));
    await reservations.restore(evm, USDC, SENT);
    expect(counted).toEqual([]);
  });

  it('are reserved again together after one request for their sender, except those in a block', async () => {
    const { reservations, evm, counted } = treasuryWith(1);
    await reservations.restore(evm, USDC, SENT);
    expect(counted).toEqual([SENDER]);
    // What fits now: the other two hold their amounts.
    const large = { transactionId: 'large', amount: '98.000001' };
    expect([...(await reservations.reserve(evm, USDC, [large, ...NAMES.slice(1).map(payment)]))]).toEqual(['b', 'c']);
    expect([...(await reservations.reserve(evm, USDC, [{ ...large, amount: '98.000000' }]))]).toEqual(['large']);
  });
});
