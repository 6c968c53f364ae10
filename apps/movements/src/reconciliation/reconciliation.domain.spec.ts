import { Money } from '@ponte/kernel';
import { differs, reconcile } from './reconciliation.domain';

const asset = 'eth-base/brlv';
const brlv = (tokens: number) => Money.of(asset, BigInt(tokens) * 10n ** 18n);
const underWayOf = (minted: number, burned = 0, arriving = 0, leaving = 0) => ({
  minted: brlv(minted),
  burned: brlv(burned),
  arriving: brlv(arriving),
  leaving: brlv(leaving),
});
const booked = (issued: number, held = issued) => ({ issued: brlv(issued), held: brlv(held) });

describe('ledger and chain', () => {
  it.each([
    ['agree', { before: 10, after: 10, supply: 10, wallets: 10, underWay: 0 }, 0, 0],
    [
      'agree while mints are booked during the comparison',
      { before: 10, after: 14, supply: 12, wallets: 12, underWay: 0 },
      0,
      0,
    ],
    [
      'agree while a mint is on the chain but not booked',
      { before: 10, after: 10, supply: 13, wallets: 13, underWay: 3 },
      0,
      0,
    ],
    [
      'agree while a mint is unfinished and not on the chain',
      { before: 10, after: 10, supply: 10, wallets: 10, underWay: 3 },
      0,
      0,
    ],
    [
      'differ when more tokens exist than were booked',
      { before: 10, after: 10, supply: 14, wallets: 10, underWay: 3 },
      1,
      0,
    ],
    ['differ when fewer tokens exist', { before: 10, after: 12, supply: 9, wallets: 10, underWay: 3 }, -1, 0],
    [
      'differ when a wallet has too much or too little',
      { before: 10, after: 10, supply: 10, wallets: 4, underWay: 0 },
      0,
      -6,
    ],
  ])('%s', (_, { before, after, supply, wallets, underWay }, supplyDifference, walletsDifference) => {
    const comparison = reconcile({
      asset,
      before: booked(before),
      after: booked(after),
      chain: { supply: brlv(supply), wallets: brlv(wallets) },
      underWay: underWayOf(underWay),
    });
    expect(comparison.supplyDifference.toString()).toBe(brlv(supplyDifference).toString());
    expect(comparison.walletsDifference.toString()).toBe(brlv(walletsDifference).toString());
    expect(differs(comparison)).toBe(supplyDifference !== 0 || walletsDifference !== 0);
  });

  it.each([
    ['a redemption that is burned but not booked', 7, 7, underWayOf(0, 3)],
    ['a redemption that is not burned yet', 10, 10, underWayOf(0, 3)],
    ['a payment of the treasury', 10, 12, underWayOf(0, 0, 2)],
    ['a movement to the treasury', 10, 8, underWayOf(0, 0, 0, 2)],
  ])('agree during %s', (_what, supply, wallets, underWay) => {
    const chain = { supply: brlv(supply), wallets: brlv(wallets) };
    expect(differs(reconcile({ asset, before: booked(10), after: booked(10), chain, underWay }))).toBe(false);
  });

  it('differ when fewer tokens exist than unfinished redemptions explain', () => {
    const comparison = reconcile({
      asset,
      before: booked(10),
      after: booked(10),
      chain: { supply: brlv(6), wallets: brlv(6) },
      underWay: underWayOf(0, 3),
    });
    expect([comparison.supplyDifference, comparison.walletsDifference].map(String)).toEqual(
      [brlv(-1), brlv(-1)].map(String),
    );
  });

  it('agree while outside deposits are in the wallets but not credited, and differ by anything beyond them', () => {
    const chain = (wallets: number) => ({ supply: brlv(10), wallets: brlv(wallets) });
    const compare = (wallets: number) =>
      reconcile({
        asset,
        before: booked(10),
        after: booked(10),
        chain: chain(wallets),
        underWay: underWayOf(0),
        uncredited: brlv(3),
      }).walletsDifference.toString();
    expect([compare(10), compare(13), compare(14)]).toEqual([0, 0, 1].map((tokens) => brlv(tokens).toString()));
  });

  it.each([
    ['agree when the vault holds all that backs it', 10n * 10n ** 18n, true],
    ['agree when the vault took less than was paid', 9n * 10n ** 18n, true],
    ['agree when floored redemptions left less than a millionth', 10n * 10n ** 18n + 100n, true],
    ['differ when there is more BRLY than BRL that backs it', 10n * 10n ** 18n + 10n ** 13n, false],
  ] as const)('%s', (_what, supply, agrees) => {
    const brly = (minor: bigint) => Money.of('eth-base/brly', minor);
    const none = { minted: brly(0n), burned: brly(0n), arriving: brly(0n), leaving: brly(0n) };
    const booked = { issued: brly(10n * 10n ** 18n), held: brly(0n) };
    const chain = { supply: brly(supply), wallets: brly(0n) };
    const comparison = reconcile({ asset: 'eth-base/brly', before: booked, after: booked, chain, underWay: none });
    expect(differs(comparison)).toBe(!agrees);
  });

  it('are compared without the supply when another company issues the token', () => {
    const comparison = reconcile({
      asset,
      before: booked(0),
      after: booked(0),
      chain: { supply: null, wallets: brlv(0) },
      underWay: underWayOf(0),
    });
    expect(differs(comparison)).toBe(false);
  });
});
