import 'reflect-metadata';
import { GetDeposit, ListDeposits } from '@ponte/contracts';
import { SENDER, tokenDepositRecord } from '../../testing/records/money-records';
import { PARTNER } from '../../testing/accounts';
import { codeOf } from '../../testing/use-gateway';
import { SAMPLE } from '../samples';
import { lastRequest, gateway, get, useTestGateway } from '../../testing/route-requests';

useTestGateway();

describe('the deposit routes', () => {
  it('show the sender to the account, mask the sender of a voided deposit, and show no data of an erased person', async () => {
    const { deposits } = (
      await get(
        `/api/v1/accounts/${PARTNER}/assets/brl/deposits?status=credited&type=pix&end-to-end-id=${SAMPLE.endToEndId}`,
      )
    ).json() as { deposits: Record<string, Record<string, unknown>>[] };
    expect(lastRequest(ListDeposits)?.payload).toMatchObject({
      filters: { assets: ['fiat/brl'], status: 'credited', type: 'pix', endToEndId: SAMPLE.endToEndId },
    });
    expect(deposits[0]?.['coordinates']).toMatchObject({
      'source-tax-id': SENDER.taxId,
      'source-account-number': SENDER.account,
      'source-branch-code': SENDER.branch,
    });
    expect(deposits[1]).toMatchObject({
      status: 'voided',
      failure: { code: 'payer-tax-id-mismatch', retryable: true },
      coordinates: { 'source-tax-id': '***.444.777-**', 'source-account-number': '***', 'source-branch-code': '***' },
    });
    const { handlers } = gateway.bus as unknown as { handlers: Map<string, (payload: unknown) => Promise<object>> };
    const record = await handlers.get(GetDeposit.pattern)?.({ accountId: PARTNER, depositId: SAMPLE.depositId });
    gateway.bus.on(GetDeposit, ({ depositId }) => (depositId === SAMPLE.depositId ? (record as never) : null));
    await gateway.engines.personalData.erase('a-sender');
    const { deposit } = (await get(`/api/v1/accounts/${PARTNER}/assets/brl/deposits/${SAMPLE.depositId}`)).json() as {
      deposit: { coordinates: object };
    };
    expect(deposit.coordinates).toMatchObject({ 'source-tax-id': '[erased]', 'source-account-number': '[erased]' });
  });

  it('filter by an id at the bank as it is written, because upper and lower case differ, and refuse spaces', async () => {
    gateway.bus.on(ListDeposits, () => ({ items: [], next: null }));
    const url = `/api/v1/accounts/${PARTNER}/assets/brl/deposits?end-to-end-id=`;
    const id = 'E1234567820260131120000AbcdEFGh1jK';
    for (const spelling of [id, id.toLowerCase()]) {
      expect((await get(`${url}${spelling}`)).json()).toEqual({ deposits: [] });
      expect(gateway.bus.requestsOf(ListDeposits).at(-1)?.payload['filters']).toMatchObject({ endToEndId: spelling });
    }
    for (const spaced of [`%20${id}`, `${id}%20`, `${id}%0A`])
      expect(codeOf(await get(`${url}${spaced}`))).toBe('400 invalid-format');
  });

  it('filter by the hash of a transaction on a chain, compared in lower case', async () => {
    gateway.bus.on(ListDeposits, () => ({ items: [], next: null }));
    const url = `/api/v1/accounts/${PARTNER}/assets/usdc/deposits`;
    expect((await get(`${url}?tx-hash=${SAMPLE.txHash.toUpperCase().replace('0X', '0x')}`)).json()).toEqual({
      deposits: [],
    });
    expect(gateway.bus.requestsOf(ListDeposits).at(-1)?.payload['filters']).toMatchObject({ txHash: SAMPLE.txHash });
    expect(codeOf(await get(`${url}?tx-hash=0x12`))).toBe('400 invalid-format');
    expect(codeOf(await get(`${url}?tx-hash=${SAMPLE.txHash}&cursor=x`))).toBe('400 invalid-cursor');
    expect(codeOf(await get(`/api/v1/accounts/${PARTNER}/assets/doge/deposits?tx-hash=${SAMPLE.txHash}`))).toBe(
      '404 route-not-found',
    );
  });

  it('show deposits of tokens with chain coordinates and no bank fields, in v0 and v1', async () => {
    const record = await tokenDepositRecord({ seal: async () => 'sealed:v1:x' } as never, { accountId: PARTNER });
    gateway.bus.on(GetDeposit, () => record);
    for (const url of [
      `/api/v1/accounts/${PARTNER}/assets/usdc/deposits/${SAMPLE.depositId}`,
      `/api/v0/assets/usdc/deposits/${SAMPLE.depositId}`,
    ]) {
      expect((await get(url)).json()).toEqual({
        deposit: {
          id: SAMPLE.depositId,
          type: 'token',
          asset: 'eth-base/usdc',
          amount: '25.000000',
          status: 'confirmed',
          'status-updated-at': SAMPLE.time,
          'tx-hash': SAMPLE.txHash,
          coordinates: {
            'source-chain': 'eth-base',
            'source-address': SAMPLE.otherWallet,
            'target-address': SAMPLE.wallet,
          },
          'created-at': SAMPLE.time,
          'processed-at': null,
        },
      });
    }
    gateway.bus.on(GetDeposit, () => null);
  });

  it('return 404 for a deposit of another asset, for a malformed id and for an unknown id', async () => {
    for (const url of [
      `/assets/usdc/deposits/${SAMPLE.depositId}`,
      '/assets/brl/deposits/x',
      `/assets/brl/deposits/${SAMPLE.orderId}`,
    ]) {
      expect(codeOf(await get(`/api/v1/accounts/${PARTNER}${url}`))).toBe('404 deposit-not-found');
    }
    for (const asset of ['doge', 'constructor', 'BRL', '__proto__'])
      expect(codeOf(await get(`/api/v0/assets/${asset}/balance`))).toBe('404 route-not-found');
    expect(codeOf(await get(`/api/v1/accounts/${PARTNER}/orders/${SAMPLE.depositId}`))).toBe('404 order-not-found');
    expect(codeOf(await get('/api/v0/orders/not-an-id'))).toBe('404 order-not-found');
  });
});
