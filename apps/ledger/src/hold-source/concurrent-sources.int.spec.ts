import type { HoldPlaced } from '@ponte/contracts';
import { ListAccountHolds, PlaceHold, ReleaseHold } from '@ponte/contracts';
import { Refusal } from '@ponte/kernel';
import { eventually } from '@ponte/testing';
import { fundTokens } from '../testing/fund-tokens';
import { ledgerForEachTest } from '../testing/ledger-for-each-test';
import { ACCOUNT } from '../testing/ledger-under-test';

const ledger = ledgerForEachTest({ booksBalance: true, soleWriter: false });
const asset = 'eth-base/brlv';
const units = (amount: number) => `${amount}.${'0'.repeat(18)}`;

/** What all requests know about the wallet, because they read it before any of them placed its hold. */
const funds = { available: units(10), held: units(0), withdrawals: units(0) };

function hold(name: string, amount: string) {
  const source = { walletId: 'main', movementId: `movement-${name}` };
  const placed = { holdId: `hold-${name}`, owner: { kind: 'order', id: name }, asset, amount, source } as const;
  return ledger.ask(PlaceHold, { accountId: ACCOUNT, hold: placed, funds });
}
const listed = async () => (await ledger.ask(ListAccountHolds, { accountId: ACCOUNT, asset })).holds;

beforeEach(async () => {
  await fundTokens(ledger);
  await eventually(async () => expect((await ledger.balance(asset)).available).toBe(units(100)));
});

it('Of holds that are placed at once, as many are accepted as the wallet can pay', async () => {
  const results = await Promise.allSettled(Array.from({ length: 16 }, (_, at) => hold(`o${at}`, '3')));
  expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
  for (const result of results)
    if (result.status === 'rejected')
      expect((result.reason as Refusal).violations).toMatchObject([
        { code: 'insufficient-balance', path: 'source-wallet-address' },
      ]);
  expect((await ledger.balance(asset)).held).toBe(units(9));
});

it('Of orders and withdrawals that are placed at once, only orders are accepted that find the wallet with enough', async () => {
  const withdraw = (name: string) => {
    const placed = { holdId: `hold-${name}`, owner: { kind: 'withdrawal', id: name }, asset, amount: '2' } as const;
    return ledger.ask(PlaceHold, { accountId: ACCOUNT, hold: placed });
  };
  const requests = Array.from({ length: 8 }, (_, at) => [hold(`o${at}`, '3'), withdraw(`w${at}`)]);
  await Promise.allSettled(requests.flat());
  const placed = (await ledger.events('ledgerAccount-')).filter(({ type }) => type === 'HoldPlaced');
  const holds = placed.map(({ data }) => (data as HoldPlaced['data']).hold);
  expect(holds.filter(({ owner }) => owner.kind === 'withdrawal')).toHaveLength(8);
  let taken = 0;
  for (const { owner, amount } of holds) {
    taken += Number(amount);
    if (owner.kind === 'order') expect(taken).toBeLessThanOrEqual(10);
  }
});

it('The open holds are listed with their source, even after a restart, and without those that have ended', async () => {
  await hold('o1', '3');
  await hold('o2', '4');
  await ledger.ask(ReleaseHold, { accountId: ACCOUNT, holdId: 'hold-o1', reason: 'test' });
  const expected = { holdId: 'hold-o2', amount: units(4), source: { walletId: 'main', movementId: 'movement-o2' } };
  expect(await listed()).toMatchObject([expected]);
  await ledger.restart();
  expect(await listed()).toMatchObject([expected]);
  await hold('o3', '6');
  await expect(hold('o4', '1')).rejects.toBeInstanceOf(Refusal);
});
