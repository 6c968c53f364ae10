import type { TreasuryEvent } from '@ponte/contracts';
import { fold } from '@ponte/event-sourcing';
import type { Treasury, TreasuryCommand } from './treasury.decider';
import { treasury, treasuryId } from './treasury.decider';

const OF = { chain: 'eth-base', asset: 'eth-base/usdc' } as const;
const payment = (transactionId: string, amount = '40.000000') => ({ transactionId, amount });
const reserve = (more: Partial<Extract<TreasuryCommand, { kind: 'reserve' }>>): TreasuryCommand => ({
  ...OF,
  kind: 'reserve',
  requests: [],
  over: [],
  spent: [],
  balance: 100_000_000n,
  releases: 0,
  ...more,
});
const after = (state: Treasury, command: TreasuryCommand): Treasury =>
  fold(treasury, state, treasury.decide(command, state));
const two = after(treasury.initial, reserve({ requests: [payment('a'), payment('b')] }));
const namesIn = (events: readonly TreasuryEvent[]) =>
  events.map((event) => ('reservations' in event.data ? event.data.reservations : event.data.transactionIds));

describe('the reservations of a treasury', () => {
  it('take what fits, in the order of the requests', () => {
    const requests = [payment('a'), payment('b', '70.000000'), payment('c', '60.000000'), payment('d', '0.000001')];
    expect(namesIn(treasury.decide(reserve({ requests }), treasury.initial))).toEqual([
      [payment('a'), payment('c', '60.000000')],
    ]);
  });

  it('count what another process has reserved', () => {
    expect(treasury.decide(reserve({ requests: [payment('c')] }), two)).toEqual([]);
    expect(namesIn(treasury.decide(reserve({ requests: [payment('c', '20.000000')] }), two))).toEqual([
      [payment('c', '20.000000')],
    ]);
  });

  it('are made once for each payment', () => {
    const [again, balance] = [[payment('a')], 1_000_000_000n];
    expect(treasury.decide(reserve({ requests: again, balance }), two)).toEqual([]);
    // Its reservation has ended, so the payment needs another one.
    expect(namesIn(treasury.decide(reserve({ requests: again, over: ['a'], balance }), two))).toEqual([['a'], again]);
  });

  it('are released when the payment is over, and the new balance counts', () => {
    const command = reserve({ requests: [payment('c')], over: ['a', 'stranger'], balance: 60_000_000n });
    expect(namesIn(treasury.decide(command, two))).toEqual([['a']]);
    const enough = { ...command, balance: 80_000_000n };
    expect(namesIn(treasury.decide(enough, two))).toEqual([['a'], [payment('c')]]);
    expect([...after(two, enough).reserved.keys()]).toEqual(['b', 'c']);
  });

  it('remain while the payment is in a block and not confirmed, but are not taken from the balance', () => {
    const requests = [payment('c')];
    const command = reserve({ requests, spent: ['a', 'stranger'], balance: 80_000_000n });
    expect(namesIn(treasury.decide(command, two))).toEqual([requests]);
    const three = after(two, command);
    expect([...three.reserved.keys()]).toEqual(['a', 'b', 'c']);
    expect(treasury.decide(reserve({ requests, spent: ['a'], balance: 79_999_999n }), two)).toEqual([]);
    // A reorg returns the tokens of the first payment.
    const returned = reserve({ requests: [payment('d', '0.000001')], balance: 120_000_000n });
    expect(treasury.decide(returned, three)).toEqual([]);
  });

  it('are not made again for a payment in a block', () => {
    const command = reserve({ requests: [payment('a')], spent: ['a'], balance: 1_000_000_000n });
    expect(treasury.decide(command, two)).toEqual([]);
  });

  it('are not made from a balance that was read before a release', () => {
    const released = after(two, reserve({ over: ['a'], balance: 60_000_000n }));
    expect(treasury.decide(reserve({ requests: [payment('c')], releases: 0 }), released)).toEqual([]);
    expect(released.releases).toBe(1);
    expect(treasury.decide(reserve({ requests: [payment('c')], releases: 1 }), released)).toHaveLength(1);
  });

  it('are made again for a payment that a reorg removed, whatever the balance', () => {
    const restore: TreasuryCommand = { ...OF, kind: 'restore', payments: [payment('a'), payment('c')] };
    expect(namesIn(treasury.decide(restore, two))).toEqual([[payment('c')]]);
    const restored = after(two, restore);
    expect(restored.reserved.get('c')).toBe(40_000_000n);
    expect(treasury.decide(restore, restored)).toEqual([]);
  });

  it('are separate for each token of each chain', () => {
    expect([treasuryId('eth-base/usdc'), treasuryId('eth-mainnet/usdc')]).toEqual([
      'eth-base_usdc',
      'eth-mainnet_usdc',
    ]);
  });

  it('are the same after a snapshot', () => {
    const { snapshots } = treasury;
    expect(snapshots?.decode(snapshots.encode(two))).toEqual(two);
  });
});
