import type { Answer } from '../testing/client';
import type { Customer } from '../testing/customer';
import { SUITE_MS } from '../testing/program';
import { AttackedCluster } from './testing/attacked-cluster';
import { codeOf } from '../testing/client';

jest.setTimeout(SUITE_MS);

const PRICE = { 'source-amount': '50.00' };
const BRCODE = { 'source-payment-method': 'brcode' };
const STRANGE = `0x${'ef'.repeat(20)}`;
const TOKENS = ['eth-base/brlv', 'eth-base/usdc'];
const OWNER_TIMES = 20;

let attacked: AttackedCluster;
let sister: Customer;
let sistersWallet: string;

beforeAll(async () => {
  attacked = await AttackedCluster.start();
  sister = await attacked.openSiblingAccount();
  sistersWallet = await attacked.walletOf(sister);
  // Enough for all of them, since each acceptance holds the price until it is refused.
  await attacked.customer.fund('3000.00');
  await sister.fund('3000.00');
  for (const token of TOKENS) {
    const { id } = await attacked.order('fiat/brl', token, { 'source-amount': '300.00' });
    expect((await attacked.customer.ended(id)).state).toBe('completed');
  }
});
afterAll(() => attacked.close());

const symbols = ['brl', 'brlv', 'usdc'];
const balances = (of: Customer) => Promise.all(symbols.map((asset) => of.balance(asset)));
const codesOf = (answers: readonly Answer<unknown>[]): string[] => [
  ...new Set(answers.filter(({ status }) => status !== 200).map(codeOf)),
];

describe.each(TOKENS)('an order for %s to a wallet', (token) => {
  it.each([
    ['that is not whitelisted', () => STRANGE],
    ['of another account', () => sistersWallet],
  ])('%s is refused for both payment methods, and nothing is held', async (_whose, address) => {
    const before = await balances(attacked.customer);
    for (const paying of [{}, BRCODE]) {
      const quoteId = await attacked.quoted('fiat/brl', token, PRICE);
      const answer = await attacked.accept(quoteId, { 'target-wallet-address': address(), ...paying });
      expect(codeOf(answer)).toBe('422 wallet-not-allowed');
    }
    expect(await balances(attacked.customer)).toEqual(before);
    await attacked.expectSettled();
  });

  it('that was whitelisted between the quote and the acceptance is executed', async () => {
    const address = `0x${token === 'eth-base/brlv' ? 'b1' : 'b2'}${'0d'.repeat(19)}`;
    const quoteId = await attacked.quoted('fiat/brl', token, PRICE);
    const named = { 'target-wallet-address': address };
    expect(codeOf(await attacked.accept(quoteId, named))).toBe('422 wallet-not-allowed');
    await attacked.whitelist(address);
    const { id } = (await attacked.accept(quoteId, named)).body.order;
    const ended = await attacked.customer.ended(id);
    expect(ended.state).toBe('completed');
    expect(Number(await attacked.onChain(token, address))).toBe(Number(ended['target-amount']));
    await attacked.expectSettled();
  });
});

describe.each(TOKENS)('a sale of %s from a wallet', (token) => {
  it.each([
    ['of another account of the same partner', () => sistersWallet],
    ['outside Ponte', () => STRANGE],
  ])('%s is refused without changing either account', async (_whose, address) => {
    const before = await Promise.all([balances(attacked.customer), balances(sister)]);
    const quoteId = await attacked.quoted(token, 'fiat/brl', { 'target-amount': '20.00' });
    expect(codeOf(await attacked.accept(quoteId, { 'source-wallet-address': address() }))).toBe(
      '422 wallet-not-allowed',
    );
    expect(await Promise.all([balances(attacked.customer), balances(sister)])).toEqual(before);
    await attacked.expectSettled();
  });
});

describe('one quote', () => {
  it.each([
    ['from the balance', {}],
    ['by brcode', BRCODE],
  ])(`accepted ${OWNER_TIMES} times each by its owner and a sister account, paid %s, is one order`, async (...row) => {
    const [, paying] = row;
    const before = await balances(sister);
    for (const token of TOKENS) {
      const quoteId = await attacked.quoted('fiat/brl', token, PRICE);
      const answers = await Promise.all(
        Array.from({ length: 2 * OWNER_TIMES }, (_, at) =>
          attacked.accept(quoteId, paying, at % 2 === 0 ? attacked.customer : sister),
        ),
      );
      const [owners, sisters] = [0, 1].map((rest) => answers.filter((_, at) => at % 2 === rest));
      expect(owners?.filter(({ status }) => status === 200)).toHaveLength(1);
      expect(codesOf(owners ?? [])).toEqual(['422 quote-already-accepted']);
      expect(sisters?.map(codeOf)).toEqual(Array.from({ length: OWNER_TIMES }, () => '422 quote-not-found'));
      const { id, brcode } = answers.find(({ status }) => status === 200)?.body.order ?? { id: '' };
      if (brcode !== undefined) await attacked.pay(brcode);
      expect((await attacked.customer.ended(id)).state).toBe('completed');
      await attacked.expectSettled();
    }
    expect(await balances(sister)).toEqual(before);
  });

  it('of one account is never found for another account', async () => {
    const quoteId = await attacked.quoted('fiat/brl', 'eth-base/brlv', PRICE, sister);
    expect(codeOf(await attacked.accept(quoteId))).toBe('422 quote-not-found');
    const { id } = (await attacked.accept(quoteId, {}, sister)).body.order;
    expect((await sister.ended(id)).state).toBe('completed');
    expect(codeOf(await attacked.accept(quoteId))).toBe('422 quote-not-found');
    expect(codeOf(await attacked.accept(quoteId, {}, sister))).toBe('422 quote-already-accepted');
    await attacked.expectSettled();
  });
});
