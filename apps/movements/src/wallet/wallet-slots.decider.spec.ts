import { WalletSlotTaken } from '@ponte/contracts';
import { fold, scenario } from '@ponte/event-sourcing';
import { Refusal } from '@ponte/kernel';
import fc from 'fast-check';
import { walletIdOf } from './wallet.decider';
import type { TakeSlot, WalletSlots } from './wallet-slots.decider';
import { MAX_WALLETS_PER_CHAIN, walletSlots, walletSlotsId } from './wallet-slots.decider';

const AT = '2026-03-01T12:00:00.000Z';
const MAIN = walletIdOf('a', 'tempo');
const take = (walletId: string, existing: readonly string[] = []): TakeSlot => ({
  ...{ accountId: 'a', chain: 'tempo', walletId, existing, at: AT },
});
const taken = (walletId: string) => new WalletSlotTaken({ accountId: 'a', chain: 'tempo', walletId, takenAt: AT });
const named = (count: number, prefix = 'w') => Array.from({ length: count }, (_, at) => `${prefix}${at}`);
const after = (...walletIds: string[]) => scenario(walletSlots).given(...walletIds.map(taken));

describe('the slots of the wallets of an account on a chain', () => {
  it('are taken once for each wallet, even when the request is repeated at the limit', () => {
    after().when(take('w0')).then(taken('w0'));
    after('w0').when(take('w0')).then();
    const all = named(MAX_WALLETS_PER_CHAIN - 1);
    expect(
      after(...all)
        .when(take('new'))
        .refusal(),
    ).toMatchObject({
      ...{ code: 'limit-exceeded', violations: [{ path: 'chain' }] },
    });
    for (const walletId of all)
      after(...all)
        .when(take(walletId))
        .then();
  });

  it('are also used by the main wallet and by wallets that never took one, each counted once', () => {
    const others = named(MAX_WALLETS_PER_CHAIN - 2, 'older');
    after()
      .when(take('new', [MAIN, ...others]))
      .then(taken('new'));
    after('w0')
      .when(take('new', [MAIN, 'w0', ...others.slice(1)]))
      .then(taken('new'));
    expect(after('w0').when(take('new', others)).refusal()).toMatchObject({ code: 'limit-exceeded' });
    expect(
      after()
        .when(take('new', [...others, 'one more']))
        .refusal(),
    ).toMatchObject({ code: 'limit-exceeded' });
  });

  it('can be taken by a wallet that exists already, even at the limit', () => {
    const others = named(MAX_WALLETS_PER_CHAIN - 1, 'older');
    after().when(take('older0', others)).then(taken('older0'));
    after().when(take(MAIN, others)).then(taken(MAIN));
  });

  it('never exceed the limit, whatever is requested and in whatever order', () => {
    const request = fc.record({
      walletId: fc.constantFrom(MAIN, ...named(30)),
      existing: fc.subarray([MAIN, ...named(5, 'older')]),
    });
    fc.assert(
      fc.property(fc.array(request, { size: 'max', maxLength: 60 }), (requests) => {
        let state: WalletSlots = walletSlots.initial;
        for (const { walletId, existing } of requests) {
          const used = new Set([MAIN, ...state.walletIds, ...existing]);
          try {
            state = fold(walletSlots, state, walletSlots.decide(take(walletId, existing), state));
            expect(state.walletIds).toContain(walletId);
          } catch (error) {
            if (!(error instanceof Refusal)) throw error;
            expect([used.size >= MAX_WALLETS_PER_CHAIN, used.has(walletId)]).toEqual([true, false]);
          }
        }
        expect(new Set([MAIN, ...state.walletIds]).size).toBeLessThanOrEqual(MAX_WALLETS_PER_CHAIN);
        expect(new Set(state.walletIds).size).toBe(state.walletIds.length);
      }),
    );
  });

  it('are counted for each account and chain', () => {
    const ids = ['a', 'b'].flatMap((account) => [walletSlotsId(account, 'tempo'), walletSlotsId(account, 'eth-base')]);
    expect(new Set(ids).size).toBe(4);
  });
});
