import type { AccountClosed, AmountOf } from '@ponte/contracts';
import * as contracts from '@ponte/contracts';
import { Refusal } from '@ponte/kernel';
import { eventually } from '@ponte/testing';
import type { OnboardingUnderTest } from '../testing/onboarding-under-test';
import { ANALYST, post, requestFor } from '../testing/people';
import { requestsOf, startWithPartner } from '../testing/requests';
import { closingOf, MINUTE_MS } from './closing.testing';

let onboarding: OnboardingUnderTest;
let parentId: string;

beforeAll(async () => {
  ({ onboarding, parentId } = await startWithPartner({ dueEveryMs: 50 }));
});
afterAll(() => onboarding.stop());
beforeEach(() => onboarding.vendors.money.clear());

const { nextCpf, until } = requestsOf(() => ({ onboarding, parentId }));
const { freeze, requestClosing, confirmClosing } = closingOf(() => onboarding);
const LEFT: readonly AmountOf[] = [
  { asset: 'fiat/brl', amount: '0.01' },
  { asset: 'eth-base/usdc', amount: '0.000001' },
];

/** An account that is frozen for a minute and has these balances. */
async function frozenWith(balances: readonly AmountOf[]): Promise<string> {
  const { request } = await post(onboarding, parentId, await requestFor(onboarding, parentId, nextCpf(900), {}));
  await until(request.requestId, 'active');
  const { accountId } = request;
  has(accountId, balances);
  await freeze(accountId);
  onboarding.advance(MINUTE_MS);
  return accountId;
}
const has = (accountId: string, balances: readonly AmountOf[], held = '0') =>
  onboarding.vendors.money.balances.set(
    accountId,
    Object.fromEntries(
      balances.map(({ asset, amount }) => [asset, { running: amount, held: amount.replace(/[1-9]/g, held) }]),
    ),
  );
const ask = (accountId: string, writeOff?: readonly AmountOf[]) =>
  requestClosing(accountId, ANALYST, 'holder-request', writeOff);
const messages = (refused: Promise<unknown>): Promise<string[]> =>
  refused.then(
    () => ['accepted'],
    (error: unknown) => {
      if (!(error instanceof Refusal)) throw error;
      return error.violations.map(({ code, message }) => `${code}: ${message}`);
    },
  );
const statusOf = async (accountId: string) => (await onboarding.ask(contracts.GetAccount, { accountId }))?.status;

it('an account with dust is closed when the request names exactly what is left, which the event tells the ledger', async () => {
  const accountId = await frozenWith(LEFT);
  const { pending } = await ask(accountId, LEFT);
  expect(pending).toMatchObject({ step: 'close', writeOff: LEFT });
  const standing = await onboarding.ask(contracts.GetAccountStanding, { accountId });
  expect(standing?.pending).toMatchObject({ writeOff: LEFT });
  await confirmClosing(accountId, pending?.request ?? 0);
  const closings = (await onboarding.events())
    .filter(({ type }) => type === 'AccountClosed')
    .map(({ data }) => data as AccountClosed['data']);
  expect(closings.find((one) => one.accountId === accountId)?.writeOff).toEqual(LEFT);
  await eventually(async () => expect(await statusOf(accountId)).toBe('closed'));
});

it('the request names every balance, and each exactly', async () => {
  const accountId = await frozenWith(LEFT);
  const usdc = 'account-in-use: the balance of eth-base/usdc is 0.000001, of which 0.000000 is held';
  expect(await messages(ask(accountId, LEFT.slice(0, 1)))).toEqual([usdc]);
  expect(await messages(ask(accountId, [{ asset: 'fiat/brl', amount: '0.02' }, ...LEFT.slice(1)]))).toEqual([
    'account-in-use: the balance of fiat/brl is 0.01, of which 0.00 is held, and 0.02 is to be written off',
  ]);
  expect(await messages(ask(accountId, [...LEFT, { asset: 'fiat/usd', amount: '0.01' }]))).toEqual([
    'account-in-use: the balance of fiat/usd is 0.00, of which 0.00 is held, and 0.01 is to be written off',
  ]);
  has(accountId, LEFT, '1');
  expect(await messages(ask(accountId, LEFT))).toHaveLength(2);
});

it('a balance that changed before the confirmation prevents the closing, and nothing is written', async () => {
  const accountId = await frozenWith(LEFT);
  const { pending } = await ask(accountId, LEFT);
  has(accountId, [{ asset: 'fiat/brl', amount: '0.02' }, ...LEFT.slice(1)]);
  expect(await messages(confirmClosing(accountId, pending?.request ?? 0))).toEqual([
    'account-in-use: the balance of fiat/brl is 0.02, of which 0.00 is held, and 0.01 is to be written off',
  ]);
  expect(await statusOf(accountId)).toBe('frozen');
  has(accountId, LEFT);
  await confirmClosing(accountId, pending?.request ?? 0);
  expect(await statusOf(accountId)).toBe('closed');
});
