import 'reflect-metadata';
import type { LightMyRequestResponse } from 'fastify';
import {
  CreateNftTransfer,
  IssueCertificate,
  ListAllCertificates,
  ListCertificates,
  ListNftTransfers,
} from '@ponte/contracts';
import { useGateway } from '../../testing/use-gateway';
import { signIn } from '../../testing/staff-browser';
import { STAFF } from '../../testing/staff-members';
import { CHILD, PARTNER, STRANGER } from '../../testing/accounts';
import { KEY } from '../../testing/api-keys';
import { SAMPLE } from '../samples';

const gateway = useGateway();

const V1 = `/api/v1/accounts/${PARTNER}`;
const BODY = {
  'source-address': SAMPLE.wallet,
  'target-address': SAMPLE.otherWallet,
  'reward-certificate-id': SAMPLE.certificateId,
};
const headers = { authorization: `Bearer ${KEY.partner}`, 'content-type': 'application/json' };
const get = (url: string) => gateway.app.inject({ url, headers: { authorization: headers.authorization } });
const post = (url: string, body: object, more: Record<string, string> = {}) =>
  gateway.app.inject({ method: 'POST', url, payload: JSON.stringify(body), headers: { ...headers, ...more } });
const lastPayload = (definition: { pattern: string }) => gateway.bus.requestsOf(definition).at(-1)?.payload ?? {};
const faultsIn = (answer: LightMyRequestResponse) =>
  (answer.json() as { error: { details: { path: string; code: string }[] } }).error.details.map(
    ({ path, code }) => `${path} ${code}`,
  );

describe('the id of an NFT transfer', () => {
  const idOf = async (url: string, body: object, key?: string) => {
    await gateway.engines.edgeState.sweep(Number.MAX_SAFE_INTEGER);
    expect((await post(url, body, key === undefined ? {} : { 'idempotency-key': key })).statusCode).toBe(200);
    return lastPayload(CreateNftTransfer);
  };

  it('derives from caller, account and key, not from the body, and is the same in v0 and v1', async () => {
    const first = await idOf(`${V1}/nft-transfers`, BODY, 'k1');
    const others = [
      await idOf('/api/v0/nft-transfers', BODY, 'k1'),
      await idOf(`${V1}/nft-transfers`, { ...BODY, 'external-id': 'x' }, 'k1'),
    ];
    expect(
      others.map((one) => [one['transferId'] === first['transferId'], one['bodyHash'] === first['bodyHash']]),
    ).toEqual([
      [true, true],
      [true, false],
    ]);
    expect(first).toMatchObject({
      callerAccountId: PARTNER,
      accountId: PARTNER,
      certificateId: SAMPLE.certificateId,
      externalId: null,
    });
    const different = [
      await idOf(`${V1}/nft-transfers`, BODY, 'k2'),
      await idOf(`/api/v1/accounts/${CHILD}/nft-transfers`, BODY, 'k1'),
      await idOf(`${V1}/nft-transfers`, BODY),
    ];
    expect(new Set([first, ...different].map((one) => one['transferId'])).size).toBe(4);
  });
});

describe('NFT transfers', () => {
  it('can be filtered by state and certificate, and by addresses and hashes in any case', async () => {
    const upper = (text: string) => text.toUpperCase().replace('0X', '0x');
    const query = `source-address=${upper(SAMPLE.wallet)}&reward-certificate-id=${SAMPLE.certificateId}&state=failed&tx-hash=${upper(SAMPLE.txHash)}&external-id=a&limit=3`;
    expect((await get(`${V1}/nft-transfers?${query}`)).statusCode).toBe(200);
    expect(lastPayload(ListNftTransfers)).toMatchObject({
      filters: {
        sourceAddress: SAMPLE.wallet,
        targetAddress: null,
        certificateId: SAMPLE.certificateId,
        state: 'failed',
        txHash: SAMPLE.txHash,
        externalId: 'a',
      },
      page: { limit: 3 },
    });
    expect(faultsIn(await get(`${V1}/nft-transfers?state=gone&reward-certificate-id=x`))).toEqual(
      expect.arrayContaining(['state invalid-enum-value', 'reward-certificate-id invalid-format']),
    );
  });

  it('are created only with all required fields and no unknown ones', async () => {
    expect(faultsIn(await post(`${V1}/nft-transfers`, { 'reward-certificate-id': 'x', amount: '1' }))).toEqual(
      expect.arrayContaining([
        'source-address missing-field',
        'target-address missing-field',
        'reward-certificate-id invalid-format',
        'amount unknown-field',
      ]),
    );
    expect((await get(`${V1}/nft-transfers/x`)).json()).toMatchObject({ error: { code: 'transfer-not-found' } });
    expect((await get(`/api/v1/accounts/${STRANGER}/nft-transfers`)).json()).toMatchObject({
      error: { code: 'account-access-denied' },
    });
  });
});

describe('reward certificates', () => {
  it('can be filtered by status and wallet, and continue with a cursor bound to those filters', async () => {
    const answer = await get(
      `${V1}/reward-certificates?status=transferring&wallet-address=${SAMPLE.wallet.toUpperCase().replace('0X', '0x')}`,
    );
    expect(answer.json()).toEqual({
      'reward-certificates': [
        {
          id: SAMPLE.certificateId,
          'wallet-address': SAMPLE.wallet,
          amount: '100.000000000000000000',
          'reward-tier': 90,
          status: 'transferring',
          'created-at': SAMPLE.time,
        },
      ],
    });
    expect(lastPayload(ListCertificates)).toMatchObject({
      accountId: PARTNER,
      filters: { status: 'transferring', walletAddress: SAMPLE.wallet },
    });
    const cursor = String(answer.headers['x-next-cursor']);
    expect((await get(`${V1}/reward-certificates?cursor=${encodeURIComponent(cursor)}`)).json()).toMatchObject({
      error: { code: 'invalid-cursor' },
    });
    expect(faultsIn(await get(`${V1}/reward-certificates?status=issued`))).toEqual(['status invalid-enum-value']);
  });

  it('are issued in the sandbox to accounts in reach, once per idempotency key', async () => {
    const wanted = { 'account-id': CHILD, 'wallet-address': SAMPLE.wallet, amount: '10' };
    const ids: unknown[] = [];
    for (const key of ['c1', 'c1', 'c2']) {
      await gateway.engines.edgeState.sweep(Number.MAX_SAFE_INTEGER);
      expect((await post('/api/v1/sandbox/reward-certificates', wanted, { 'idempotency-key': key })).statusCode).toBe(
        200,
      );
      ids.push(lastPayload(IssueCertificate)['certificateId']);
    }
    expect([ids[0] === ids[1], ids[0] === ids[2]]).toEqual([true, false]);
    expect(lastPayload(IssueCertificate)).toMatchObject({
      accountId: CHILD,
      rewardTier: null,
      otherwiseTier: 90,
      amount: '10',
    });
    expect(
      (await post('/api/v1/sandbox/reward-certificates', { ...wanted, 'account-id': STRANGER })).json(),
    ).toMatchObject({ error: { code: 'account-access-denied' } });
    expect(faultsIn(await post('/api/v1/sandbox/reward-certificates', { ...wanted, amount: 10 }))).toEqual([
      'amount amount-must-be-string',
    ]);
  });

  it('are issued under a reference by operators and by no other role', async () => {
    const url = `/staff/v1/accounts/${PARTNER}/reward-certificates`;
    const body = { reference: 'REW-1', 'wallet-address': SAMPLE.wallet, amount: '10.00', 'reward-tier': 97 };
    const issue = async (name: keyof typeof STAFF, change: object = {}) => {
      const browser = await signIn(gateway, name);
      return gateway.app.inject({
        method: 'POST',
        url,
        headers: { 'content-type': 'application/json', ...browser },
        payload: JSON.stringify({ ...body, ...change }),
      });
    };
    expect((await issue('operator')).statusCode).toBe(200);
    const first = lastPayload(IssueCertificate);
    expect(first).toMatchObject({
      accountId: PARTNER,
      rewardTier: 97,
      otherwiseTier: null,
      issuedBy: STAFF.operator.staffId,
    });
    await issue('operator');
    expect(lastPayload(IssueCertificate)['certificateId']).toBe(first['certificateId']);
    await issue('operator', { reference: 'REW-2' });
    expect(lastPayload(IssueCertificate)['certificateId']).not.toBe(first['certificateId']);
    for (const name of ['analyst', 'auditor'] as const)
      expect((await issue(name)).json()).toMatchObject({ error: { code: 'role-not-allowed' } });
    expect((await post(url, body)).statusCode).toBe(401);
    const auditor = await signIn(gateway, 'auditor');
    const listed = await gateway.app.inject({
      url: `/staff/v1/reward-certificates?account-id=${CHILD}&status=failed`,
      headers: auditor,
    });
    expect([listed.statusCode, lastPayload(ListAllCertificates)]).toEqual([
      200,
      expect.objectContaining({ accountId: CHILD, filters: { status: 'failed', walletAddress: null } }),
    ]);
  });
});
