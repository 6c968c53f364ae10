import { randomUUID } from 'node:crypto';
import type { Answer, Json } from '../testing/client';
import { codeOf, codesOf, succeeded } from '../testing/client';
import { SUITE_MS } from '../testing/program';
import type { Withdrawal } from '../testing/transfers';
import { OUTSIDE } from '../testing/transfers';
import { until } from '../testing/waiting';
import type { Members, Placed } from './testing/attacked-cluster';
import { AttackedCluster } from './testing/attacked-cluster';

jest.setTimeout(SUITE_MS);

const BRLV = 'eth-base/brlv';
const LARGEST = '50.000000000000000000';
const MORE = '50.000000000000000001';
const LIMITS = JSON.stringify({ [BRLV]: { transaction: '50', hour: '1000' } });

let attacked: AttackedCluster;
let wallet: Members;

beforeAll(async () => {
  attacked = await AttackedCluster.start({ SIGNER_LIMITS: LIMITS });
  wallet = { 'source-wallet-address': attacked.cluster.sandbox['wallet-address'] };
  await attacked.customer.fund('300.00');
  for (let order = 0; order < 3; order += 1) await completed(await ordered('fiat/brl', BRLV, '50.00', {}));
});
afterAll(() => attacked.close());

const completed = async (order: Placed) =>
  expect(await attacked.customer.ended(order.id)).toMatchObject({ state: 'completed' });
const ordered = (source: string, target: string, amount: string, members: Members) =>
  attacked.order(source, target, { 'source-amount': amount }, members);

const post = (path: string, body: Json, key: string, headers: Members = {}) => {
  const { api } = attacked.customer;
  return api.send('POST', attacked.customer.path(path), body, { 'idempotency-key': key, ...headers });
};
/** The refusal of a request, which is sent twice under one key and must be answered with the same bytes. */
async function refusalOf(path: string, body: Json): Promise<string[]> {
  const key = randomUUID();
  const first = await post(path, body, key);
  expect((await post(path, body, key)).text).toBe(first.text);
  return [codeOf(first), ...codesOf(first as Answer<unknown>)];
}

describe('more tokens than the signer allows in one transaction', () => {
  it.each<[string, string, string, string, Members]>([
    ['bought from the balance', 'fiat/brl', BRLV, '50.01', {}],
    ['bought by Pix code', 'fiat/brl', BRLV, '50.01', { 'source-payment-method': 'brcode' }],
    ['sold', BRLV, 'fiat/brl', '50.01', {}],
  ])('can be quoted, and not %s', async (_, source, target, amount, members) => {
    const quoteId = await attacked.quoted(source, target, { 'source-amount': amount });
    const body = { 'quote-id': quoteId, ...members, ...(source === BRLV ? wallet : {}) };
    const refused = ['422 amount-above-maximum', 'quote-id amount-above-maximum'];
    expect(await refusalOf('/orders', body)).toEqual(refused);
    const dry = await post('/orders', body, randomUUID(), { prefer: 'dry-run' });
    expect([codeOf(dry), ...codesOf(dry as Answer<unknown>)]).toEqual(refused);
    await attacked.expectSettled();
  });

  it('cannot be withdrawn', async () => {
    const body = { asset: BRLV, amount: MORE, 'destination-wallet-address': OUTSIDE };
    const refused = ['422 amount-above-maximum', 'amount amount-above-maximum'];
    expect(await refusalOf('/withdrawals', body)).toEqual(refused);
    await attacked.expectSettled();
  });
});

describe('exactly what the signer allows in one transaction', () => {
  it('is sold', async () => {
    await completed(await ordered(BRLV, 'fiat/brl', LARGEST, wallet));
    await attacked.expectSettled();
  });

  it('is withdrawn', async () => {
    const { api } = attacked.customer;
    const body = { asset: BRLV, amount: LARGEST, 'destination-wallet-address': OUTSIDE };
    const created = await post('/withdrawals', body, randomUUID());
    const { withdrawal } = succeeded(created as unknown as Answer<{ withdrawal: Withdrawal }>);
    await until(async () => {
      const now = await api.get<Withdrawal>(attacked.customer.path(`/withdrawals/${withdrawal.id}`));
      expect(now).toMatchObject({ state: 'completed', amount: LARGEST });
    });
  });
});
