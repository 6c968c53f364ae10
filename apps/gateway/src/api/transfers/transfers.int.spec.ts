import 'reflect-metadata';
import type { LightMyRequestResponse } from 'fastify';
import { ChangeWalletMetadata, CreateTransfer, CreateWallet, ListTransfers, ListWallets } from '@ponte/contracts';
import type { GatewayUnderTest } from '../../testing/gateway-under-test';
import { startGateway } from '../../testing/gateway-under-test';
import { CHILD, PARTNER } from '../../testing/accounts';
import { KEY } from '../../testing/api-keys';
import { SAMPLE } from '../samples';

let gateway: GatewayUnderTest;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.stop());

const V1 = `/api/v1/accounts/${PARTNER}`;
const BODY = {
  'source-address': SAMPLE.wallet,
  asset: 'eth-base/brlv',
  amount: '25.00',
  'target-address': SAMPLE.otherWallet,
};
const get = (url: string) => gateway.app.inject({ url, headers: { authorization: `Bearer ${KEY.partner}` } });
const send = (method: 'POST' | 'PATCH', url: string, body: object, key?: string) =>
  gateway.app.inject({
    method,
    url,
    payload: JSON.stringify(body),
    headers: {
      authorization: `Bearer ${KEY.partner}`,
      'content-type': 'application/json',
      ...(key === undefined ? {} : { 'idempotency-key': key }),
    },
  });
const lastPayload = (definition: { pattern: string }) => gateway.bus.requestsOf(definition).at(-1)?.payload ?? {};
const faultsIn = (answer: LightMyRequestResponse) =>
  (answer.json() as { error: { details: { path: string; code: string }[] } }).error.details.map(
    ({ path, code }) => `${path} ${code}`,
  );

describe('the id of a transfer', () => {
  const idOf = async (url: string, body: object, key?: string) => {
    await gateway.engines.edgeState.sweep(Number.MAX_SAFE_INTEGER);
    const { statusCode } = await send('POST', url, body, key);
    expect(statusCode).toBe(200);
    return lastPayload(CreateTransfer);
  };

  it('derives from caller, account and key, not from the body, and is the same in v0 and v1', async () => {
    const first = await idOf(`${V1}/transfers`, BODY, 'k1');
    const others = [
      await idOf('/api/v0/transfers', BODY, 'k1'),
      await idOf(`${V1}/transfers`, { ...BODY, amount: '26' }, 'k1'),
    ];
    expect(others.map((one) => one['transferId'])).toEqual([first['transferId'], first['transferId']]);
    expect(others.map((one) => one['bodyHash'] === first['bodyHash'])).toEqual([true, false]);
    expect(first).toMatchObject({ callerAccountId: PARTNER, accountId: PARTNER, externalId: null });
    const different = [
      await idOf(`${V1}/transfers`, BODY, 'k2'),
      await idOf(`/api/v1/accounts/${CHILD}/transfers`, BODY, 'k1'),
    ];
    expect(new Set([first, ...different].map((one) => one['transferId'])).size).toBe(3);
  });

  it('is new for each request without an idempotency key', async () => {
    const [one, two] = [await idOf(`${V1}/transfers`, BODY), await idOf(`${V1}/transfers`, BODY)];
    expect(one['transferId']).not.toBe(two['transferId']);
    expect(one['bodyHash']).toBeNull();
  });
});

describe('transfers', () => {
  it('can be filtered by every documented filter, by addresses and hashes in any case', async () => {
    const upper = (text: string) => text.toUpperCase().replace('0X', '0x');
    const query = `source-address=${upper(SAMPLE.wallet)}&target-address=${SAMPLE.otherWallet}&asset=eth-base/brlv&state=failed&tx-hash=${upper(SAMPLE.txHash)}&external-id=a`;
    expect((await get(`${V1}/transfers?${query}&created-from=2026-01-01T00:00:00Z&limit=3`)).statusCode).toBe(200);
    expect(lastPayload(ListTransfers)).toMatchObject({
      filters: {
        sourceAddress: SAMPLE.wallet,
        targetAddress: SAMPLE.otherWallet,
        asset: 'eth-base/brlv',
        state: 'failed',
        txHash: SAMPLE.txHash,
        externalId: 'a',
      },
      page: { limit: 3, createdFrom: '2026-01-01T00:00:00.000Z' },
    });
    expect(faultsIn(await get(`${V1}/transfers?state=gone&asset=x`))).toEqual(
      expect.arrayContaining(['state invalid-enum-value', 'asset invalid-enum-value']),
    );
  });

  it('require all fields and amounts as strings, and accept null for an absent external id', async () => {
    expect(faultsIn(await send('POST', `${V1}/transfers`, { amount: 25, more: 1 }))).toEqual(
      expect.arrayContaining([
        'source-address missing-field',
        'asset missing-field',
        'amount amount-must-be-string',
        'target-address missing-field',
        'more unknown-field',
      ]),
    );
    expect((await send('POST', `${V1}/transfers`, { ...BODY, 'external-id': null })).statusCode).toBe(200);
    expect(lastPayload(CreateTransfer)).toMatchObject({ externalId: null });
    expect((await get(`${V1}/transfers/x`)).json()).toMatchObject({ error: { code: 'transfer-not-found' } });
  });
});

describe('wallets', () => {
  it('can be filtered by repeated keys and by comma-separated lists', async () => {
    const address = SAMPLE.wallet.toUpperCase().replace('0X', '0x');
    for (const query of [
      'assets=eth-base/brlv&assets=tempo/brlv',
      'assets=eth-base/brlv,tempo/brlv',
      'assets=eth-base/brlv,tempo/brlv&assets=tempo/brlv',
    ]) {
      await get(`/api/v0/wallets?${query}&addresses=${address},${SAMPLE.otherWallet}`);
      expect(lastPayload(ListWallets)['filters']).toEqual({
        assets: ['eth-base/brlv', 'tempo/brlv'],
        addresses: [SAMPLE.wallet, SAMPLE.otherWallet],
      });
    }
    await get(`${V1}/wallets`);
    expect(lastPayload(ListWallets)['filters']).toEqual({ assets: null, addresses: null });
    expect(faultsIn(await get(`${V1}/wallets?assets=eth-base/brlv,doge&addresses=0x12`))).toEqual([
      'assets invalid-enum-value',
      'addresses invalid-format',
    ]);
  });

  it('are created with a name and a chain, and are visible only on request', async () => {
    expect((await send('POST', `${V1}/wallets`, { 'wallet-name': 'Savings', chain: 'tempo' })).statusCode).toBe(200);
    expect(lastPayload(CreateWallet)).toMatchObject({
      name: 'Savings',
      chain: 'tempo',
      uiEnabled: false,
      metadata: {},
    });
    const bad = {
      'wallet-name': ' ',
      chain: 'solana',
      metadata: { 'Not ok': 'x', long: 'x'.repeat(501), number: 1, gone: null },
    };
    expect(faultsIn(await send('POST', `${V1}/wallets`, bad))).toEqual(
      expect.arrayContaining([
        'wallet-name invalid-format',
        'chain invalid-enum-value',
        'metadata.? invalid-format',
        'metadata.long invalid-format',
        'metadata.number invalid-type',
      ]),
    );
    const many = Object.fromEntries(Array.from({ length: 51 }, (_, at) => [`k${at}`, '']));
    expect(
      faultsIn(await send('POST', `${V1}/wallets`, { 'wallet-name': 'x', chain: 'tempo', metadata: many })),
    ).toEqual(['metadata invalid-format']);
  });

  it('are changed by merging metadata: null deletes a key, and null or absent fields change nothing', async () => {
    const url = `${V1}/wallets/${SAMPLE.walletId}/metadata`;
    expect((await send('PATCH', url, { metadata: { label: 'x', old: null }, 'ui-enabled': null })).statusCode).toBe(
      200,
    );
    expect(lastPayload(ChangeWalletMetadata)).toMatchObject({
      walletId: SAMPLE.walletId,
      metadata: { label: 'x', old: null },
      uiEnabled: null,
    });
    // All keys of a full wallet may be replaced at once. A character outside the basic plane counts as one character.
    const gone = Object.fromEntries(Array.from({ length: 50 }, (_, at) => [`old-${at}`, null]));
    expect((await send('PATCH', url, { metadata: { ...gone, label: '😀'.repeat(500) } })).statusCode).toBe(200);
    const tooMany = Object.fromEntries(Array.from({ length: 101 }, (_, at) => [`old-${at}`, null]));
    expect(faultsIn(await send('PATCH', url, { metadata: tooMany }))).toEqual(['metadata invalid-format']);
    expect(faultsIn(await send('PATCH', url, { metadata: { label: '😀'.repeat(501) } }))).toEqual([
      'metadata.label invalid-format',
    ]);
    await send('PATCH', `/api/v0/wallets/${SAMPLE.walletId}/metadata`, { 'ui-enabled': true });
    expect(lastPayload(ChangeWalletMetadata)).toMatchObject({ metadata: null, uiEnabled: true });
    for (const id of ['x', SAMPLE.orderId]) {
      expect((await send('PATCH', `${V1}/wallets/${id}/metadata`, {})).json()).toMatchObject({
        error: { code: 'wallet-not-found' },
      });
    }
  });
});
