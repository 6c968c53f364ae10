import { CreateWithdrawal, ListWithdrawals, openWithdrawalTarget } from '@ponte/contracts';
import type { Sealed } from '@ponte/event-sourcing';
import type { GatewayUnderTest } from '../../testing/gateway-under-test';
import { startGateway } from '../../testing/gateway-under-test';
import { signIn } from '../../testing/staff-browser';
import { CHILD, PARTNER } from '../../testing/accounts';
import { KEY } from '../../testing/api-keys';
import { SAMPLE } from '../samples';

let gateway: GatewayUnderTest;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.stop());

const PATH = `/api/v1/accounts/${CHILD}/withdrawals`;
const PIX = { asset: 'fiat/brl', method: 'pix', amount: '10.00', 'pix-key': SAMPLE.pixKey };
const TED = {
  asset: 'fiat/brl',
  method: 'ted',
  amount: '10.00',
  'bank-code': '756',
  'branch-number': '1',
  'account-number': '123456-7',
  'account-holder-name': 'Ana Secret',
  'account-holder-tax-id': '52998224725',
};
const post = async (url: string, body: object, key?: string) =>
  gateway.app.inject({
    method: 'POST',
    url,
    headers: {
      authorization: `Bearer ${KEY.partner}`,
      'content-type': 'application/json',
      ...(key === undefined ? {} : { 'idempotency-key': key }),
    },
    payload: JSON.stringify(body),
  });
const lastPayload = () => gateway.bus.requestsOf(CreateWithdrawal).at(-1)?.payload as Record<string, unknown>;
const faults = async (body: object, url = PATH): Promise<string[]> =>
  ((await post(url, body)).json() as { error: { details: { code: string; path: string }[] } }).error.details.map(
    ({ code, path }) => `${code} ${path}`,
  );

describe('POST …/withdrawals', () => {
  it('stores its response for an idempotency key encrypted, and repeats it in clear', async () => {
    const finish = jest.spyOn(gateway.engines.edgeState, 'finish');
    const first = await post(PATH, TED, 'encrypted');
    expect(finish.mock.calls.map(([, , { body }]) => body)).toEqual([
      expect.stringMatching(/^sealed:v1:gateway-answers-\d{4}-\d\d-\d\d:/),
    ]);
    finish.mockRestore();
    const repeated = await post(PATH, TED, 'encrypted');
    expect([repeated.headers['idempotency-replayed'], repeated.json()]).toEqual(['true', first.json()]);
  });

  it('seals personal data for the service, and shows it to the account in clear', async () => {
    const answer = await post(PATH, TED);
    expect(answer.statusCode).toBe(200);
    expect(JSON.stringify(gateway.bus.requestsOf(CreateWithdrawal))).not.toMatch(/Secret|52998224725|123456-7/);
    expect(await openWithdrawalTarget(gateway.engines.personalData, lastPayload()['target'] as Sealed)).toEqual({
      pixKey: null,
      bankCode: '756',
      branchNumber: '1',
      accountNumber: '123456-7',
      accountHolderName: 'Ana Secret',
      accountHolderTaxId: '52998224725',
      destinationWalletAddress: null,
    });
    expect(lastPayload()).toMatchObject({
      accountId: CHILD,
      callerAccountId: PARTNER,
      method: 'ted',
      keyHash: null,
      bodyHash: null,
    });
    expect((await post(PATH, PIX)).json()).toMatchObject({
      withdrawal: { 'pix-key': SAMPLE.pixKey, state: 'created' },
    });
  });

  // The scope consists of calling account, account acted on, operation (one name for v0 and v1) and key.
  it('derives the same id from the scope of the idempotency key in v0 and v1', async () => {
    await post(`/api/v1/accounts/${PARTNER}/withdrawals`, PIX, 'one');
    const first = lastPayload();
    gateway.clock.offset += 25 * 3_600_000;
    await post('/api/v0/withdrawals', PIX, 'one');
    expect(lastPayload()).toMatchObject({
      withdrawalId: first['withdrawalId'],
      keyHash: first['keyHash'],
      bodyHash: first['bodyHash'],
    });
    await post('/api/v0/withdrawals', PIX, 'two');
    expect(lastPayload()['withdrawalId']).not.toBe(first['withdrawalId']);
    await post(PATH, PIX, 'one');
    expect(lastPayload()['withdrawalId']).not.toBe(first['withdrawalId']);
    gateway.clock.offset = 0;
  });

  it('requires the fields of its method, refuses those of other methods, and treats null as absent', async () => {
    expect(await faults({ ...PIX, 'bank-code': '001' })).toEqual(['unknown-field bank-code']);
    expect(await faults({ asset: 'fiat/brl', method: 'pix', amount: '1.00' })).toEqual(['missing-field pix-key']);
    expect(await faults({ asset: 'fiat/brl', method: 'ted', amount: '1.00', 'bank-code': '001' })).toEqual([
      'missing-field branch-number',
      'missing-field account-number',
      'missing-field account-holder-name',
      'missing-field account-holder-tax-id',
    ]);
    expect(await faults({ asset: 'eth-base/usdc', amount: '1.00' })).toEqual([
      'missing-field destination-wallet-address',
    ]);
    expect(await faults({ asset: 'fiat/brl', amount: '1.00', 'pix-key': SAMPLE.pixKey })).toEqual([
      'missing-field method',
    ]);
    expect(await faults({ ...PIX, amount: 10 })).toEqual(['amount-must-be-string amount']);
    expect(await faults({ ...PIX, colour: 'red', amount: '-1' })).toEqual([
      'invalid-format amount',
      'unknown-field colour',
    ]);
    expect(
      (await post(PATH, { ...PIX, 'external-id': null, 'bank-code': null, 'destination-wallet-address': null }))
        .statusCode,
    ).toBe(200);
    expect(
      (
        await post(PATH, {
          asset: 'eth-base/usdc',
          method: null,
          amount: '1.00',
          'destination-wallet-address': SAMPLE.wallet,
        })
      ).statusCode,
    ).toBe(200);
    expect(lastPayload()).toMatchObject({ method: null, asset: 'eth-base/usdc' });
  });

  it('has a route by asset in v0 for BRL only', async () => {
    const { asset: _asset, ...body } = PIX;
    expect((await post('/api/v0/assets/brl/withdrawals', body)).statusCode).toBe(200);
    expect(lastPayload()).toMatchObject({ asset: 'fiat/brl', accountId: PARTNER });
    const other = await post('/api/v0/assets/usdc/withdrawals', body);
    expect(other.statusCode).toBe(404);
    expect(other.json()).toMatchObject({
      error: { code: 'route-not-found', message: expect.stringMatching(/^Only BRL .* at \/api\/v0\/withdrawals\.$/) },
    });
    expect(await faults(PIX, '/api/v0/assets/brl/withdrawals')).toEqual(['unknown-field asset']);
  });
});

describe('GET …/withdrawals', () => {
  const get = (url: string) => gateway.app.inject({ url, headers: { authorization: `Bearer ${KEY.partner}` } });

  it('filters the list, and shows the time for which a TED is scheduled', async () => {
    const answer = await get(`${PATH}?state=created&method=ted&asset=fiat/brl&external-id=x`);
    expect(gateway.bus.requestsOf(ListWithdrawals).at(-1)?.payload).toMatchObject({
      accountId: CHILD,
      filters: { state: 'created', method: 'ted', asset: 'fiat/brl', externalId: 'x' },
    });
    const [pix, ted] = (answer.json() as { withdrawals: Record<string, unknown>[] }).withdrawals;
    expect(pix).not.toHaveProperty('scheduled-for');
    expect(ted).toMatchObject({ 'scheduled-for': SAMPLE.later, 'bank-code': '756' });
    expect((await get(`${PATH}?method=cash`)).statusCode).toBe(400);
  });

  it('returns 404 for an unknown id, and for an asset other than BRL', async () => {
    expect((await get(`${PATH}/${SAMPLE.orderId}`)).json()).toMatchObject({ error: { code: 'withdrawal-not-found' } });
    expect((await get(`${PATH}/x`)).statusCode).toBe(404);
    expect((await get(`/api/v0/assets/usd/withdrawals/${SAMPLE.withdrawalId}`)).statusCode).toBe(404);
  });
});

describe('the staff view of withdrawals', () => {
  it('shows the payee masked', async () => {
    const { cookie } = await signIn(gateway, 'auditor');
    const {
      withdrawals: [pix, ted],
    } = (
      await gateway.app.inject({ url: `/staff/v1/withdrawals?account-id=${CHILD}`, headers: { cookie } })
    ).json() as { withdrawals: Record<string, unknown>[] };
    expect(pix).toMatchObject({
      'pix-key': '***',
      'account-id': expect.any(String),
      'created-by-api-key': SAMPLE.keyId,
    });
    expect(ted).toMatchObject({
      'account-number': '***',
      'account-holder-name': '***',
      'account-holder-tax-id': '***.444.777-**',
      'bank-code': '756',
    });
  });
});
