import { generateKeyPairSync } from 'node:crypto';
import { compactVerify, createLocalJWKSet } from 'jose';
import type { JSONWebKeySet, JWK } from 'jose';
import { CheckAcceptance, ExplainQuote, PlaceOrder, PriceQuote, RequestQuote } from '@ponte/contracts';
import type { GatewayUnderTest } from '../../testing/gateway-under-test';
import { startGateway } from '../../testing/gateway-under-test';
import { CHILD } from '../../testing/accounts';
import { KEY } from '../../testing/api-keys';
import { SAMPLE } from '../samples';
import { QUOTE_SIGNER } from '../../gateway-tokens.port';
import type { QuoteEnvelopeDto } from './explanation.dto';
import { QuoteSigner } from './quote-signer';

const jwk = (): JWK => generateKeyPairSync('ed25519').privateKey.export({ format: 'jwk' }) as JWK;

describe('the signer of explanations', () => {
  it('signs with the first key and publishes all keys without their private fields', async () => {
    const [newer, older] = [jwk(), jwk()];
    const [before, after] = [await QuoteSigner.of([older]), await QuoteSigner.of([newer, older])];
    expect(JSON.stringify(after.jwks)).not.toContain(String(older.d));
    expect(after.jwks.keys.map(({ x }) => x)).toEqual([newer.x, older.x]);
    const keys = createLocalJWKSet(after.jwks as JSONWebKeySet);
    for (const signer of [before, after]) {
      const { payload } = await compactVerify((await signer.sign({ b: 1, a: '2' })) ?? '', keys);
      expect(new TextDecoder().decode(payload)).toBe('{"a":"2","b":1}');
    }
  });

  it('refuses keys that cannot sign, and has no key when none is configured', async () => {
    const { d: _, ...open } = jwk();
    await expect(QuoteSigner.of([open])).rejects.toThrow('private key');
    await expect(QuoteSigner.of([{ kty: 'RSA', n: 'x', e: 'AQAB' }])).rejects.toThrow('Ed25519');
    const none = await QuoteSigner.open({}, 'production', { fingerprint: () => 'f' } as never);
    expect([none.jwks.keys, await none.sign({})]).toEqual([[], null]);
  });
});

describe('the quote routes', () => {
  let gateway: GatewayUnderTest;
  beforeAll(async () => {
    gateway = await startGateway();
  });
  afterAll(() => gateway.stop());

  const authorization = `Bearer ${KEY.partner}`;
  const path = `/api/v1/accounts/${CHILD}`;
  const get = (url: string, headers: Record<string, string> = { authorization }) =>
    gateway.app.inject({ url, headers });
  const post = (url: string, body: object, more: Record<string, string> = {}) =>
    gateway.app.inject({
      method: 'POST',
      url,
      headers: { authorization, 'content-type': 'application/json', ...more },
      payload: JSON.stringify(body),
    });

  it('prove what was quoted: the signature verifies with the published key and covers everything shown', async () => {
    const answer = (await get(`${path}/quotes/${SAMPLE.quoteId}?explain=true`)).json<Required<QuoteEnvelopeDto>>();
    const published = await get('/.well-known/jwks.json', {});
    expect(published.headers['content-type']).toContain('application/jwk-set+json');
    const { payload, protectedHeader } = await compactVerify(
      answer.jws,
      createLocalJWKSet(published.json<JSONWebKeySet>()),
    );
    expect(protectedHeader).toMatchObject({ alg: 'EdDSA', typ: 'ponte-quote+json' });
    expect(JSON.parse(new TextDecoder().decode(payload))).toEqual({
      quote: answer.quote,
      explanation: answer.explanation,
      'account-id': CHILD,
    });
    expect(answer.explanation.rates).toMatchObject([
      { of: 'usd-brl', source: 'median', readings: [{ source: 'bank-a', 'spread-bps': null }] },
    ]);
    const staff = await get(`/staff/quotes/${SAMPLE.quoteId}`, { authorization: `Staff ${gateway.staffToken}` });
    expect(staff.json<QuoteEnvelopeDto>().explanation).toEqual(answer.explanation);
    expect(gateway.bus.requestsOf(ExplainQuote).map(({ payload: { accountId } }) => accountId)).toEqual([CHILD, null]);
  });

  it('without a signing key, give an unsigned explanation to staff and none to partners', async () => {
    const sign = jest.spyOn(gateway.app.get<QuoteSigner>(QUOTE_SIGNER), 'sign').mockResolvedValue(null);
    const partner = await get(`${path}/quotes/${SAMPLE.quoteId}?explain=true`);
    const staff = await get(`/staff/quotes/${SAMPLE.quoteId}`, { authorization: `Staff ${gateway.staffToken}` });
    sign.mockRestore();
    expect([partner.statusCode, partner.json<{ error: { code: string } }>().error.code]).toEqual([
      503,
      'service-unavailable',
    ]);
    expect(Object.keys(staff.json())).toEqual(['quote', 'state', 'explanation']);
  });

  it('show an explanation only on request, and return 404 for an unknown quote', async () => {
    expect(Object.keys((await get(`${path}/quotes/${SAMPLE.quoteId}`)).json())).toEqual(['quote', 'state']);
    for (const id of [SAMPLE.orderId, 'x']) {
      const answer = await get(`${path}/quotes/${id}`);
      expect([answer.statusCode, answer.json()]).toMatchObject([
        404,
        { error: { type: 'not-found', code: 'quote-not-found' } },
      ]);
    }
    expect((await get(`${path}/quotes/${SAMPLE.quoteId}?explain=yes`)).statusCode).toBe(400);
  });

  const QUOTE = { 'source-asset': 'fiat/brl', 'target-asset': 'eth-base/brlv', 'source-amount': '1.00' };
  const ORDER = { 'quote-id': SAMPLE.quoteId };
  it.each([
    [`${path}/quotes`, QUOTE, PriceQuote, RequestQuote],
    ['/api/v0/quotes', QUOTE, PriceQuote, RequestQuote],
    [`${path}/orders`, ORDER, CheckAcceptance, PlaceOrder],
    ['/api/v0/orders', ORDER, CheckAcceptance, PlaceOrder],
  ] as const)('treat a dry run of %s as a query that leaves the idempotency key free', async (url, body, dry, real) => {
    const requestCounts = () => [gateway.bus.requestsOf(dry).length, gateway.bus.requestsOf(real).length] as const;
    const [dryBefore, realBefore] = requestCounts();
    const key = { 'idempotency-key': `dry ${url}` };
    const tried = await post(url, body, { ...key, prefer: 'dry-run' });
    expect([tried.statusCode, tried.headers['preference-applied']]).toEqual([200, 'dry-run']);
    expect(requestCounts()).toEqual([dryBefore + 1, realBefore]);
    const done = await post(url, body, key);
    expect([done.statusCode, done.headers['preference-applied'], done.headers['idempotency-replayed']]).toEqual([
      200,
      undefined,
      undefined,
    ]);
    expect(requestCounts()).toEqual([dryBefore + 1, realBefore + 1]);
  });

  it.each([
    [`${path}/transfers`, {}],
    [`${path}/withdrawals`, {}],
    [`${path}/nft-transfers`, {}],
    ['/api/v0/transfers', {}],
    [`${path}/webhook-endpoints`, { url: 'https://a.example' }],
    ['/api/v1/sandbox/pix-payments', { 'account-id': CHILD, amount: '1.00' }],
  ])('refuse a dry run of %s, which is not supported, instead of executing it', async (url, body) => {
    const before = gateway.bus.requests.length;
    const answer = await post(url, body, { prefer: 'respond-async, dry-run' });
    const { error } = answer.json<{ error: { code: string; message: string; details: { path: string }[] } }>();
    expect([answer.statusCode, error.code, error.details[0]?.path]).toEqual([400, 'invalid-format', 'Prefer']);
    expect(error.message).toContain('only requesting a quote and accepting one support it');
    const commands = gateway.bus.requests
      .slice(before)
      .filter(({ pattern }) => !pattern.startsWith('onboarding.query'));
    expect(commands).toEqual([]);
  });

  it('refuse a dry run with a value, which would otherwise be executed, and ignore one on a read', async () => {
    for (const prefer of ['dry-run=true', 'dry-run=false']) {
      const answer = await post(`${path}/quotes`, QUOTE, { prefer });
      expect([answer.statusCode, answer.json<{ error: { message: string } }>().error.message]).toEqual([
        400,
        expect.stringContaining('dry-run without a value'),
      ]);
    }
    expect((await get(`${path}/orders`, { authorization, prefer: 'dry-run' })).statusCode).toBe(200);
  });
});
