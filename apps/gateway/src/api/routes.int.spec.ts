import 'reflect-metadata';
import type { LightMyRequestResponse } from 'fastify';
import type { AccountRecord, ClearRelianceRequest } from '@ponte/contracts';
import {
  AdvanceClock,
  CreateApiKey,
  CreateRelianceRequest,
  GetBalance,
  GetDeposit,
  holderIdOf,
  ListDeposits,
  ListOrders,
  OpenAccount,
  openInTransit,
  PlaceOrder,
  RequestQuote,
  secretHashOf,
  SimulatePixPayment,
} from '@ponte/contracts';
import type { Sealed } from '@ponte/event-sourcing';
import { refuse } from '@ponte/kernel';
import { wholeDocument } from '../testing/gateway-under-test';
import { SENDER, tokenDepositRecord } from '../testing/records';
import { requestOf, ROUTES, STREAMS } from '../testing/routes';
import type { RouteCase } from '../testing/routes';
import { CHILD, KEY, UNKNOWN, PARTNER, STRANGER, STRANGERS_CHILD } from '../testing/fixtures';
import { violationsOf } from '../validation/violations';
import { codeOf, useGateway } from '../testing/use-gateway';
import { SAMPLE } from './samples';

const gateway = useGateway();

const as = (secret: string) => ({ authorization: `Bearer ${secret}` });
const send = (route: RouteCase, account: string, headers: Record<string, string>) =>
  gateway.app.inject(requestOf(route, account, headers));
const credentialsFor = ({ reach }: RouteCase, secret: string) =>
  reach === 'staff' ? { authorization: `Staff ${gateway.staffToken}` } : as(secret);
const faultsIn = (answer: LightMyRequestResponse) =>
  (answer.json() as { error: { details: { path: string; code: string }[] } }).error.details.map(
    ({ path, code }) => `${path} ${code}`,
  );
const asked = (definition: { pattern: string }) => gateway.bus.askedOf(definition).at(-1);
const get = (url: string, secret = KEY.partner) => gateway.app.inject({ url, headers: as(secret) });
const post = (url: string, body: object, headers: Record<string, string> = as(KEY.partner)) =>
  gateway.app.inject({
    method: 'POST',
    url,
    headers: { ...headers, 'content-type': 'application/json' },
    payload: JSON.stringify(body),
  });

describe('every route answers in its own shape', () => {
  it.each(ROUTES.map((route) => [route.id, route] as const))('%s', async (_, route) => {
    const answer = await send(route, CHILD, credentialsFor(route, KEY.partner));
    expect([answer.statusCode, answer.statusCode < 400 ? '' : answer.body]).toEqual([route.status, '']);
    expect(answer.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
    if (!route.answer) return expect(answer.body).toBe('');
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(violationsOf(route.answer, answer.json(), 'refuse')).toEqual([]);
  });

  it('the table above is the whole API', () => {
    const document = JSON.parse(JSON.stringify([...ROUTES, ...STREAMS].map(({ id }) => id).sort())) as string[];
    return wholeDocument<{ paths: Record<string, Record<string, { operationId: string }>> }>(gateway).then(
      ({ paths }) => {
        expect(
          Object.values(paths)
            .flatMap((path) => Object.values(path).map(({ operationId }) => operationId))
            .sort(),
        ).toEqual(document);
      },
    );
  });
});

describe('who may call what, every route and every principal', () => {
  const ACCOUNTS = {
    own: PARTNER,
    child: CHILD,
    stranger: STRANGER,
    'child of a stranger': STRANGERS_CHILD,
    unknown: UNKNOWN,
    malformed: 'x',
    'upper case': CHILD.toUpperCase(),
    'upper case of a stranger': STRANGER.toUpperCase(),
  };
  const guarded = ROUTES.filter(({ reach }) => reach === 'own' || reach === 'account');

  it.each(ROUTES.filter(({ reach }) => reach !== 'public').map((route) => [route.id, route] as const))(
    '%s wants credentials of its own kind',
    async (_, route) => {
      expect(codeOf(await send(route, PARTNER, {}))).toBe('401 missing-credentials');
      if (route.reach === 'staff') {
        for (const secret of Object.values(KEY))
          expect(codeOf(await send(route, PARTNER, as(secret)))).toBe('401 missing-credentials');
        expect(codeOf(await send(route, PARTNER, { authorization: `Staff ${gateway.staffToken}x` }))).toBe(
          '401 invalid-staff-token',
        );
        return;
      }
      expect(codeOf(await send(route, PARTNER, { authorization: `Staff ${gateway.staffToken}` }))).toBe(
        '401 missing-credentials',
      );
      expect(codeOf(await send(route, PARTNER, as(KEY.revoked)))).toBe('401 revoked-api-key');
      expect(codeOf(await send(route, PARTNER, as(KEY.elsewhere)))).toBe('403 ip-not-allowed');
      expect(codeOf(await send(route, PARTNER, as(`${KEY.partner.slice(0, -1)}x`)))).toBe('401 unknown-api-key');
    },
  );

  it.each(guarded.filter(({ method }) => method !== 'GET').map((route) => [route.id, route] as const))(
    '%s is not for a read-only key',
    async (_, route) => {
      const before = gateway.bus.asked.length;
      expect(codeOf(await send(route, PARTNER, as(KEY.readOnly)))).toBe('403 api-key-read-only');
      expect(gateway.bus.asked.slice(before).filter(({ pattern }) => !pattern.startsWith('onboarding.query'))).toEqual(
        [],
      );
    },
  );

  it.each(guarded.filter(({ reach }) => reach === 'account').map((route) => [route.id, route] as const))(
    '%s reaches the own account and its children',
    async (_, route) => {
      const bodies = new Set<string>();
      for (const [name, account] of Object.entries(ACCOUNTS)) {
        const before = gateway.bus.asked.length;
        const answer = await send(route, account, as(KEY.partner));
        const reached = name === 'own' || name === 'child' || name === 'upper case';
        expect([name, answer.statusCode]).toEqual([name, reached ? route.status : 403]);
        if (reached) continue;
        bodies.add(answer.body);
        expect(
          gateway.bus.asked.slice(before).filter(({ pattern }) => !pattern.startsWith('onboarding.query.get-account')),
        ).toEqual([]);
      }
      expect([...bodies].map((body) => (JSON.parse(body) as { error: { code: string } }).error.code)).toEqual([
        'account-access-denied',
      ]);
      expect(codeOf(await send(route, PARTNER, as(KEY.child)))).toBe('403 account-access-denied');
      expect(codeOf(await send(route, CHILD, as(KEY.stranger)))).toBe('403 account-access-denied');
    },
  );

  it('v0 acts on the own account of the key', async () => {
    await send(ROUTES.find(({ id }) => id === 'create-quote-v0') as RouteCase, '', as(KEY.child));
    expect(asked(RequestQuote)?.payload).toMatchObject({ accountId: CHILD, scope: 'family' });
    await get('/api/v0/assets/usdc/balance', KEY.stranger);
    expect(asked(GetBalance)?.payload).toEqual({ accountId: STRANGER, assets: ['eth-mainnet/usdc', 'eth-base/usdc'] });
  });
});

describe('what goes to the services', () => {
  it('a quote: the account of the path, amounts as they were sent, a deadline and who asks', async () => {
    const answer = await post(`/api/v1/accounts/${CHILD}/quotes`, {
      'source-asset': 'fiat/brl',
      'target-asset': 'eth-base/usdc',
      'target-amount': '10.5',
      'trade-reason': 'international-travels',
      'rate-lock': '5m',
    });
    const { payload, context } = gateway.bus.askedOf(RequestQuote).at(-1) ?? {};
    expect(payload).toEqual({
      quoteId: (answer.json() as { id: string }).id,
      accountId: CHILD,
      scope: 'account',
      sourceAsset: 'fiat/brl',
      targetAsset: 'eth-base/usdc',
      sourceAmount: null,
      targetAmount: '10.5',
      tradeReason: 'international-travels',
      rateLock: '5m',
    });
    expect(context).toMatchObject({
      correlationId: answer.headers['x-request-id'],
      actor: `ak_test_${'a'.repeat(24)}`,
    });
    expect(answer.json()).toMatchObject({
      'trade-reason': 'international-travels',
      'trade-reason-code': '32999',
      'rate-lock': '5m',
    });
  });

  it('an order: caller and account apart; account-balance unless it says otherwise; no brcode members then', async () => {
    const answer = await post(`/api/v1/accounts/${CHILD}/orders`, {
      'quote-id': SAMPLE.quoteId,
      'external-id': 'invoice-1',
    });
    expect(asked(PlaceOrder)?.payload).toEqual({
      callerAccountId: PARTNER,
      accountId: CHILD,
      quoteId: SAMPLE.quoteId,
      sourceWalletAddress: null,
      targetWalletAddress: null,
      targetEndUserPixKey: null,
      sourcePaymentMethod: 'account-balance',
      externalId: 'invoice-1',
    });
    const { order } = answer.json() as { order: Record<string, unknown> };
    expect(order).not.toHaveProperty('brcode');
    expect(order).toMatchObject({ 'tx-hash': null, 'external-id': 'invoice-1' });
  });

  it('a QR code is a bare base64 PNG', async () => {
    const answer = await get(`/api/v1/accounts/${PARTNER}/deposits/pix`);
    expect(answer.json()).toEqual({
      asset: 'brl',
      type: 'pix',
      brcode: SAMPLE.brcode,
      'qr-code-base64': expect.any(String) as string,
    });
    const png = Buffer.from((answer.json() as { 'qr-code-base64': string })['qr-code-base64'], 'base64');
    expect(png.subarray(0, 8).toString('hex')).toBe('89504e470d0a1a0a');
    expect(png.toString('latin1')).toContain('IHDR');
    expect((await get(`/api/v1/accounts/${PARTNER}/assets/brl/deposits/pix`)).statusCode).toBe(404);
  });

  it('deposits: the account sees who paid, but not the stranger of a voided one; an erased person is erased', async () => {
    const { deposits } = (
      await get(
        `/api/v1/accounts/${PARTNER}/assets/brl/deposits?status=credited&type=pix&end-to-end-id=${SAMPLE.endToEndId}`,
      )
    ).json() as { deposits: Record<string, Record<string, unknown>>[] };
    expect(asked(ListDeposits)?.payload).toMatchObject({
      filters: { assets: ['fiat/brl'], status: 'credited', type: 'pix', endToEndId: SAMPLE.endToEndId },
    });
    expect(deposits[0]?.['coordinates']).toMatchObject({
      'source-tax-id': SENDER.taxId,
      'source-account-number': SENDER.account,
      'source-branch-code': SENDER.branch,
    });
    expect(deposits[1]).toMatchObject({
      status: 'voided',
      failure: { code: 'payer-tax-id-mismatch', retryable: false },
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

  it('deposits: a transaction of a chain is a filter, whose hash compares in lower case', async () => {
    gateway.bus.on(ListDeposits, () => ({ items: [], next: null }));
    const url = `/api/v1/accounts/${PARTNER}/assets/usdc/deposits`;
    expect((await get(`${url}?tx-hash=${SAMPLE.txHash.toUpperCase().replace('0X', '0x')}`)).json()).toEqual({
      deposits: [],
    });
    expect(gateway.bus.askedOf(ListDeposits).at(-1)?.payload['filters']).toMatchObject({ txHash: SAMPLE.txHash });
    expect(codeOf(await get(`${url}?tx-hash=0x12`))).toBe('400 invalid-format');
    expect(codeOf(await get(`${url}?tx-hash=${SAMPLE.txHash}&cursor=x`))).toBe('400 invalid-cursor');
    expect(codeOf(await get(`/api/v1/accounts/${PARTNER}/assets/doge/deposits?tx-hash=${SAMPLE.txHash}`))).toBe(
      '404 route-not-found',
    );
  });

  it('deposits of tokens: the coordinates of a chain, in v0 and v1, and no members of a bank', async () => {
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

  it('a deposit of another asset, a malformed id and an absent one are not there', async () => {
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

  it('the sandbox pays: one of brcode and account, in reach, the tax id sealed', async () => {
    const pay = (body: object) => post('/api/v1/sandbox/pix-payments', body);
    expect(codeOf(await pay({ amount: '1.00' }))).toBe('400 missing-field');
    expect(codeOf(await pay({ brcode: SAMPLE.brcode, 'account-id': CHILD }))).toBe('400 unknown-field');
    expect(faultsIn(await pay({ amount: 1 }))).toEqual(['amount amount-must-be-string', 'brcode missing-field']);
    expect(faultsIn(await pay({ brcode: 'Maria da Silva 529.982.247-25' }))).toEqual(['brcode invalid-format']);
    expect(faultsIn(await pay({ brcode: SAMPLE.brcode, 'account-id': 'x', more: 1 }))).toEqual([
      'account-id invalid-format',
      'more unknown-field',
    ]);
    expect(codeOf(await pay({ 'account-id': STRANGER }))).toBe('403 account-access-denied');
    expect(codeOf(await pay({ 'account-id': CHILD, 'payer-tax-id': '52998224726' }))).toBe('422 invalid-tax-id');
    await pay({ 'account-id': CHILD, amount: '5.00', 'payer-tax-id': '529.982.247-25' });
    const payload: Record<string, unknown> = asked(SimulatePixPayment)?.payload ?? {};
    expect(payload).toMatchObject({
      accountId: CHILD,
      brcode: null,
      amount: '5.00',
      payerTaxId: expect.stringMatching(/^sealed:v1:/) as string,
    });
    expect(await gateway.engines.personalData.open(payload['payerTaxId'] as never)).toBe('52998224725');
    // Someone who was erased has a bank account all the same.
    await gateway.engines.personalData.erase(
      holderIdOf(gateway.engines.personalData.fingerprint('tax-id', '11144477735')),
    );
    expect((await pay({ 'account-id': CHILD, amount: '5.00', 'payer-tax-id': '11144477735' })).statusCode).toBe(200);
    expect(await gateway.engines.personalData.open(asked(SimulatePixPayment)?.payload['payerTaxId'] as never)).toBe(
      '11144477735',
    );
  });

  it('the sandbox moves its time on, by seconds or to a time, for partners and staff alike', async () => {
    const staff = { authorization: `Staff ${gateway.staffToken}` };
    for (const advance of [
      (body: object) => post('/api/v1/sandbox/clock/advance', body),
      (body: object) => post('/staff/sandbox/clock/advance', body, staff),
    ]) {
      expect(faultsIn(await advance({}))).toEqual(['seconds missing-field']);
      expect(faultsIn(await advance({ seconds: 1, until: SAMPLE.time }))).toEqual(['until unknown-field']);
      expect(faultsIn(await advance({ seconds: 0 }))).toEqual(['seconds invalid-format']);
      expect(faultsIn(await advance({ seconds: 1.5 }))).toEqual(['seconds invalid-type']);
      expect(faultsIn(await advance({ until: 'tomorrow' }))).toEqual(['until invalid-format']);
      expect((await advance({ until: SAMPLE.time })).json()).toEqual({
        clock: { now: SAMPLE.time, 'ahead-seconds': 60 },
      });
      expect(asked(AdvanceClock)?.payload).toEqual({ seconds: null, until: SAMPLE.time });
    }
    expect(
      faultsIn(await post('/staff/sandbox/bank', { callbacks: 'loud', fault: { operation: 'put-charge' } }, staff)),
    ).toEqual(['callbacks invalid-enum-value', 'fault.fault missing-field']);
    expect(codeOf(await post('/staff/sandbox/bank', { callbacks: 'held' }))).toMatch(/^401/);
  });

  it('staff: personal members sealed, a bearer secret shown once and only its hash sent on', async () => {
    const staff = { authorization: `Staff ${gateway.staffToken}` };
    const opening = ROUTES.find(({ id }) => id === 'staff-open-account') as RouteCase;
    await send(opening, '', staff);
    expect(JSON.stringify(asked(OpenAccount)?.payload)).not.toMatch(/Canary|52998224725|123456/);
    const { 'api-key': key } = (
      await post(`/staff/accounts/${PARTNER}/api-keys`, { name: 'k', bearer: true }, staff)
    ).json() as { 'api-key': { id: string; secret: string } };
    expect(key.secret.startsWith(`sk_test_${key.id.slice(8)}_`)).toBe(true);
    expect(asked(CreateApiKey)?.payload).toMatchObject({
      keyId: key.id,
      access: 'read-only',
      credential: { kind: 'bearer', secretHash: secretHashOf(key.secret) },
    });
    const wrongKey = async (body: object) => faultsIn(await post(`/staff/accounts/${PARTNER}/api-keys`, body, staff));
    expect(await wrongKey({})).toEqual(['name missing-field', 'public-key missing-field', 'algorithm missing-field']);
    expect(await wrongKey({ name: 'k', bearer: false, algorithm: 'ES256' })).toEqual(['public-key missing-field']);
    expect(await wrongKey({ name: 'k', bearer: true, 'public-key': 'p', algorithm: 'ES256' })).toEqual([
      'public-key unknown-field',
      'algorithm unknown-field',
    ]);
    expect(await wrongKey({ name: 'k', bearer: 'yes' })).toEqual(['bearer invalid-type']);
    const limits = { 'writes-per-second': 1, 'write-burst': 2, 'reads-per-second': 3, 'read-burst': 4 };
    const limited = await post(
      `/staff/accounts/${PARTNER}/api-keys`,
      { name: 'k', bearer: true, 'rate-limits': limits },
      staff,
    );
    expect(limited.json()).toMatchObject({ 'api-key': { 'rate-limits': limits } });
    expect(asked(CreateApiKey)?.payload).toMatchObject({
      rateLimits: { writesPerSecond: 1, writeBurst: 2, readsPerSecond: 3, readBurst: 4 },
    });
    expect(
      await wrongKey({
        name: 'k',
        bearer: true,
        'rate-limits': { 'writes-per-second': 0, 'write-burst': 1.5, 'reads-per-second': '3', more: 1 },
      }),
    ).toEqual([
      'rate-limits.writes-per-second invalid-format',
      'rate-limits.write-burst invalid-type',
      'rate-limits.reads-per-second invalid-type',
      'rate-limits.read-burst missing-field',
      'rate-limits.more unknown-field',
    ]);
    expect(await wrongKey({ name: 'k', bearer: true, 'rate-limits': { ...limits, 'read-burst': 1_000_001 } })).toEqual([
      'rate-limits.read-burst invalid-format',
    ]);
    expect(
      (
        await post(`/staff/accounts/${PARTNER}/api-keys`, { name: 'k', bearer: true, 'rate-limits': null }, staff)
      ).json(),
    ).toMatchObject({ 'api-key': { 'rate-limits': null } });
    expect(codeOf(await post(`/staff/accounts/${UNKNOWN}/capabilities`, { grant: [] }, staff))).toBe(
      '404 account-not-found',
    );
    expect(codeOf(await post('/staff/api-keys/nope/revoke', { reason: 'rotated' }, staff))).toBe(
      '404 api-key-not-found',
    );
  });
});

describe('POST /api/v1/accounts', () => {
  const BODY = {
    'tax-id': '529.982.247-25',
    'tax-document-type': 'cpf',
    'tax-residence': 'BRA',
    'kyc-attestation-id': 'a-1',
    'reward-tier': 90,
    'external-wallets': [SAMPLE.wallet],
  };
  const CREATED = {
    id: SAMPLE.accountId,
    alias: 'Account 5c2a1e8f',
    status: 'pending',
    'parent-id': PARTNER,
    'created-at': SAMPLE.time,
  };

  it('is a reliance request in another shape: 201 with the account, 200 when the request exists', async () => {
    const answer = await post('/api/v1/accounts', BODY);
    expect([answer.statusCode, answer.json()]).toEqual([201, { account: CREATED }]);
    const sent = await openInTransit<ClearRelianceRequest>(
      gateway.engines.personalData,
      asked(CreateRelianceRequest)?.payload['body'] as Sealed,
    );
    expect(sent).toMatchObject({
      identifier: { value: '529.982.247-25', country: 'BRA' },
      taxDocumentType: 'cpf',
      kycAttestationId: 'a-1',
      rewardTier: 90,
      externalWallets: [{ address: SAMPLE.wallet }],
    });
    await post('/api/v1/accounts', {
      ...BODY,
      'tax-id': 'AB123456',
      'tax-document-type': 'passport',
      'tax-residence': 'GBR',
    });
    const foreigner = await openInTransit<ClearRelianceRequest>(
      gateway.engines.personalData,
      asked(CreateRelianceRequest)?.payload['body'] as Sealed,
    );
    expect(foreigner.identifier).toEqual({ value: 'AB123456', country: 'GBR' });
    const { handlers } = gateway.bus as unknown as {
      handlers: Map<string, (payload: unknown) => Promise<{ request: object }>>;
    };
    const usual = handlers.get(CreateRelianceRequest.pattern) as (payload: unknown) => Promise<{ request: object }>;
    gateway.bus.on(CreateRelianceRequest, async (payload) => ({ ...(await usual(payload)), created: false }) as never);
    expect((await post('/api/v1/accounts', BODY)).statusCode).toBe(200);
    gateway.bus.on(CreateRelianceRequest, () => refuse('invalid-cpf', 'wrong check digits', 'identifier.value'));
    expect(faultsIn(await post('/api/v1/accounts', BODY))).toEqual(['tax-id invalid-cpf']);
    handlers.set(CreateRelianceRequest.pattern, usual);
  });

  it('needs the capability manage-holders, and its own members', async () => {
    expect(codeOf(await post('/api/v1/accounts', BODY, as(KEY.stranger)))).toBe('201');
    const stranger = gateway.fixtures.accounts.get(STRANGER) as AccountRecord;
    gateway.fixtures.accounts.set(STRANGER, { ...stranger, capabilities: [] });
    expect(codeOf(await post('/api/v1/accounts', BODY, as(KEY.stranger)))).toBe('403 missing-capability');
    gateway.fixtures.accounts.set(STRANGER, stranger);
    expect(faultsIn(await post('/api/v1/accounts', { identifier: {}, 'reward-tier': 90 }))).toEqual([
      'tax-id missing-field',
      'tax-document-type missing-field',
      'tax-residence missing-field',
      'kyc-attestation-id missing-field',
      'identifier unknown-field',
    ]);
  });

  it('the account is read by its parent while it is created; its code is not given out before it is open', async () => {
    expect((await get(`/api/v1/accounts/${SAMPLE.accountId}`)).json()).toEqual({ account: CREATED });
    expect(codeOf(await get(`/api/v1/accounts/${SAMPLE.accountId}`, KEY.stranger))).toBe('403 account-access-denied');
    expect(codeOf(await get(`/api/v1/accounts/${SAMPLE.accountId}/deposits/pix`))).toBe('403 account-not-active');
  });
});

describe('a filter that is sent twice', () => {
  interface Parameter {
    readonly name: string;
    readonly in: string;
    readonly schema: {
      readonly type?: string;
      readonly enum?: readonly string[];
      readonly format?: string;
      readonly example?: string;
    };
  }
  interface Listed {
    readonly operationId: string;
    readonly parameters?: readonly Parameter[];
    readonly responses: Record<string, { content: { 'application/json': { examples: object } } }>;
  }
  const VALUES: Readonly<Record<string, string>> = { uuid: SAMPLE.quoteId, 'date-time': SAMPLE.time };

  it('is a 400 that the document lists, at the name of the filter, for every operation with a query', async () => {
    const { paths } = (await wholeDocument<unknown>(gateway)) as {
      paths: Record<string, Record<string, Listed>>;
    };
    const listed = Object.values(paths).flatMap((item) => Object.values(item));
    let tried = 0;
    for (const { operationId, parameters = [], responses } of listed) {
      for (const { name, schema } of parameters.filter((one) => one.in === 'query' && one.schema.type !== 'array')) {
        const route = [...ROUTES, ...STREAMS].find(({ id }) => id === operationId) as RouteCase;
        const value = encodeURIComponent(schema.enum?.[0] ?? VALUES[schema.format ?? ''] ?? '1');
        const answer = await gateway.app.inject({
          url: `${route.url(CHILD)}?${name}=${value}&${name}=${value}`,
          headers: credentialsFor(route, KEY.partner),
        });
        const { error } = answer.json() as { error: { code: string; details: { path: string; code: string }[] } };
        expect([operationId, name, answer.statusCode, error.details.map(({ path }) => path)]).toEqual([
          operationId,
          name,
          400,
          [name],
        ]);
        expect(Object.keys(responses['400']?.content['application/json'].examples ?? {})).toContain(error.code);
        tried += 1;
      }
    }
    expect(tried).toBeGreaterThan(20);
    expect(
      ((await get(`/api/v1/accounts/${CHILD}/orders?state=created&state=completed`)).json() as { error: object }).error,
    ).toMatchObject({ code: 'invalid-type', details: [{ path: 'state', message: 'must be sent once' }] });
  });
});

describe('an idempotency key is bound to the resource of the path', () => {
  interface Named {
    readonly route: RouteCase;
    readonly other: string;
  }
  const OTHER: Readonly<Record<string, string>> = { [PARTNER]: CHILD, [SAMPLE.keyId]: `ak_test_${'c'.repeat(24)}` };
  const named: Named[] = [];

  beforeAll(async () => {
    const { paths } = (await wholeDocument<unknown>(gateway)) as {
      paths: Record<string, Record<string, { operationId: string }>>;
    };
    for (const [path, operations] of Object.entries(paths)) {
      const parts = path.split('/');
      const at = parts.findLastIndex((part) => /^\{(?!account-id\})/.test(part));
      for (const [method, { operationId }] of Object.entries(operations)) {
        const route = ROUTES.find(({ id }) => id === operationId);
        if (at === -1 || (method !== 'post' && method !== 'patch') || !route) continue;
        const url = route.url(CHILD).split('/');
        url[at] = OTHER[url[at] ?? ''] ?? UNKNOWN;
        named.push({ route, other: url.join('/') });
      }
    }
    expect(named.map(({ route }) => route.id)).toEqual(
      expect.arrayContaining([
        'ping-webhook-endpoint',
        'staff-change-capabilities',
        'staff-create-api-key',
        'staff-revoke-api-key',
      ]),
    );
  });

  it('so that the same key and body on another one is "422 idempotency-key-reused", and carries out nothing', async () => {
    for (const { route, other } of named) {
      const headers = { ...credentialsFor(route, KEY.partner), 'idempotency-key': 'same' };
      const request = requestOf(route, CHILD, headers);
      expect([route.id, (await gateway.app.inject(request)).statusCode]).toEqual([route.id, route.status]);
      const before = gateway.bus.asked.length;
      expect([route.id, codeOf(await gateway.app.inject({ ...request, url: other }))]).toEqual([
        route.id,
        '422 idempotency-key-reused',
      ]);
      expect((await gateway.app.inject(request)).headers['idempotency-replayed']).toBe('true');
      expect(gateway.bus.asked.slice(before).filter(({ pattern }) => !pattern.startsWith('onboarding.query'))).toEqual(
        [],
      );
    }
  });

  it('and is another command, even when the first is long forgotten', async () => {
    // The path by asset exists for BRL only: another asset reaches no service.
    for (const { route, other } of named.filter(({ route: { id } }) => id !== 'create-asset-withdrawal-v0')) {
      const request = requestOf(route, CHILD, { ...credentialsFor(route, KEY.partner), 'idempotency-key': 'late' });
      await gateway.app.inject(request);
      const first = gateway.bus.asked.at(-1);
      gateway.clock.offset += 25 * 3_600_000;
      await gateway.app.inject({ ...request, url: other });
      const second = gateway.bus.asked.at(-1);
      expect([route.id, second?.pattern]).toEqual([route.id, first?.pattern]);
      expect(second?.context.commandId).not.toBe(first?.context.commandId);
    }
    gateway.clock.offset = 0;
  });
});

describe('lists', () => {
  it('go on by a cursor in the headers, which is bound to the list, the account and the filters', async () => {
    const first = await get(`/api/v1/accounts/${CHILD}/orders?limit=2&state=created&unknown=1`);
    const cursor = String(first.headers['x-next-cursor']);
    expect(first.headers['link']).toBe(
      `</api/v1/accounts/${CHILD}/orders?limit=2&state=created&unknown=1&cursor=${cursor}>; rel="next"`,
    );
    const next = await get(`/api/v1/accounts/${CHILD}/orders?limit=1&state=created&cursor=${cursor}`);
    expect([next.statusCode, next.headers['x-next-cursor']]).toEqual([200, undefined]);
    expect(asked(ListOrders)?.payload).toMatchObject({
      accountId: CHILD,
      filters: { state: 'created' },
      page: { limit: 1, cursor: { createdAt: SAMPLE.time, id: SAMPLE.orderId } },
    });
    const [place, mac] = cursor.split('.');
    const forged = Buffer.from(JSON.stringify(['2030-01-01T00:00:00.000Z', SAMPLE.orderId])).toString('base64url');
    for (const url of [
      `/api/v1/accounts/${CHILD}/orders?cursor=${cursor}`,
      `/api/v1/accounts/${PARTNER}/orders?state=created&cursor=${cursor}`,
      `/api/v0/orders?state=created&cursor=${cursor}`,
      `/api/v1/accounts/${CHILD}/webhook-endpoints?cursor=${cursor}`,
      `/api/v1/accounts/${CHILD}/orders?state=created&cursor=${forged}.${mac}`,
      `/api/v1/accounts/${CHILD}/orders?state=created&cursor=${place}`,
      `/api/v1/accounts/${CHILD}/orders?state=created&cursor=`,
      `/api/v1/accounts/${CHILD}/orders?state=created&cursor=${'x'.repeat(9000)}`,
      `/api/v1/accounts/${CHILD}/orders?state=created&cursor=${cursor}&cursor=${cursor}`,
    ])
      expect(codeOf(await get(url))).toBe('400 invalid-cursor');
  });

  it.each(['0', '201', '-1', '1.5', '1e2', '', 'ten', '1&limit=2', '%31%30%30%30'])(
    'limit=%s is not a limit',
    async (limit) => {
      expect(codeOf(await get(`/api/v0/orders?limit=${limit}`))).toBe('400 invalid-limit');
    },
  );

  it('take times and words of their lists alone, and say where', async () => {
    const answer = await get(
      '/api/v0/orders?state=sleeping&created-from=yesterday&source-asset=doge&quote-id=x&state=created',
    );
    expect(
      (answer.json() as { error: { details: { path: string; code: string }[] } }).error.details.map(
        ({ path, code }) => `${path} ${code}`,
      ),
    ).toEqual([
      'state invalid-type',
      'quote-id invalid-format',
      'source-asset invalid-enum-value',
      'created-from invalid-format',
    ]);
    await get('/api/v0/orders?created-from=2026-01-31T09:00:00-03:00&limit=200');
    expect(asked(ListOrders)?.payload).toMatchObject({
      page: { limit: 200, cursor: null, createdFrom: '2026-01-31T12:00:00.000Z', createdTo: null },
    });
  });
});
