import 'reflect-metadata';
import { hash } from 'node:crypto';
import { SignJWT } from 'jose';
import type { JWTPayload } from 'jose';
import { CheckWebhookSignature } from '@ponte/contracts';
import type { SignatureCheck } from '@ponte/contracts';
import type { GatewayUnderTest } from '../../testing/gateway-under-test';
import { startGateway } from '../../testing/gateway-under-test';
import { JWT_KEY_ID, jwtKeys, KEY } from '../../testing/api-keys';
import { SAMPLE } from '../samples';

const BODY = '{"a":1}';
const URI = '/api/v0/orders?limit=5';

describe('the check of a signed request', () => {
  let gateway: GatewayUnderTest;
  const send = async (body: object, key = KEY.partner) =>
    gateway.app.inject({
      method: 'POST',
      url: '/api/v1/sandbox/signature-check',
      headers: { authorization: `Bearer ${key}` },
      payload: body,
    });
  const token = (claims: JWTPayload = {}, header: object = {}) => {
    const iat = Math.floor(Date.now() / 1000);
    const good = {
      sub: JWT_KEY_ID,
      uri: URI,
      method: 'POST',
      nonce: 'n',
      iat,
      exp: iat + 30,
      'body-hash': hash('sha256', BODY, 'hex'),
    };
    return new SignJWT({ ...good, ...claims }).setProtectedHeader({ alg: 'ES256', ...header }).sign(jwtKeys.privateKey);
  };
  const parts = (jwt: string, over: object = {}) => ({
    jwt: { token: jwt, 'api-key': JWT_KEY_ID, method: 'POST', uri: URI, body: BODY, ...over },
  });
  const checksOf = async (body: object, key = KEY.partner) => {
    const answer = await send(body, key);
    expect([answer.statusCode, answer.statusCode === 200 ? '' : answer.body]).toEqual([200, '']);
    return (answer.json() as { 'signature-check': { checks: SignatureCheck[] } })['signature-check'].checks;
  };
  const wrong = async (body: object, key = KEY.partner) =>
    (await checksOf(body, key)).filter(({ result }) => result === 'wrong').map(({ part }) => part);

  beforeAll(async () => {
    gateway = await startGateway();
  });
  afterAll(() => gateway.stop());

  it.each([{}, { kid: 'other' }])(
    'reports every part of a correct request with the header %j as correct, and uses up no nonce',
    async (header) => {
      const jwt = await token({}, header);
      for (let times = 0; times < 2; times += 1) {
        const checks = await checksOf(parts(jwt));
        expect(checks.map(({ part, result }) => `${part} ${result}`)).toEqual(
          ['header', 'algorithm', 'key', 'signature', 'subject', 'nonce', 'expiry', 'path', 'method', 'body-hash'].map(
            (part) => `${part} correct`,
          ),
        );
      }
    },
  );

  it('names the part that is wrong', async () => {
    const now = Math.floor(Date.now() / 1000);
    const [head = '', claims = '', signed = ''] = (await token()).split('.');
    const none = Buffer.from('{"alg":"none"}').toString('base64url');
    expect(await wrong(parts('x'))).toEqual(['header']);
    expect(await wrong(parts(`Bearer ${await token()}`))).toContain('header');
    expect(await wrong(parts(`${none}.${claims}.${signed}`))).toEqual(['algorithm']);
    expect(await wrong(parts(`${Buffer.from('{"alg":"HS256"}').toString('base64url')}.${claims}.${signed}`))).toEqual([
      'algorithm',
    ]);
    expect(await wrong(parts(`${head}.${claims}.${'A'.repeat(86)}`))).toEqual(['signature']);
    expect(await wrong(parts(await token({ sub: 'other' })))).toEqual(['subject']);
    expect(await wrong(parts(await token({ nonce: '' })))).toEqual(['nonce']);
    expect(await wrong(parts(await token({ iat: now - 100, exp: now - 60 })))).toEqual(['expiry']);
    expect(await wrong(parts(await token({ exp: now + 500 })))).toEqual(['expiry']);
    expect(await wrong(parts(await token({ uri: '/api/v0/orders' })))).toEqual(['path']);
    expect(await wrong(parts(await token({ method: 'GET' })))).toEqual(['method']);
    expect(await wrong(parts(await token(), { body: '{"a": 1}' }))).toEqual(['body-hash']);
    for (const absent of [undefined, null])
      expect(await wrong(parts(await token({ 'body-hash': absent })))).toEqual(['body-hash']);
  });

  it('does not find a key of another account', async () => {
    expect(await wrong(parts(await token()), KEY.stranger)).toEqual(['key']);
    expect(await wrong(parts(await token(), { 'api-key': `ak_test_${'0'.repeat(24)}` }))).toContain('key');
  });

  it('refuses live keys and secrets, and does not repeat them', async () => {
    const live = 'ak_live_0123456789abcdef01234567';
    const secret = 'whsec_live_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
    const webhook = {
      'webhook-endpoint-id': SAMPLE.endpointId,
      secret,
      'webhook-id': 'a',
      'webhook-timestamp': '1',
      'webhook-signature': 'v1,a',
      body: '',
    };
    for (const body of [parts(await token(), { 'api-key': live }), parts(await token({ sub: live })), { webhook }]) {
      const answer = await send(body);
      expect([answer.statusCode, (answer.json() as { error: { code: string } }).error.code]).toEqual([
        422,
        'live-credential-refused',
      ]);
      expect(answer.body).not.toContain('_live_');
    }
  });

  it('seals the secret of a webhook check, and requires exactly one of the two checks', async () => {
    const webhook = {
      'webhook-endpoint-id': SAMPLE.endpointId,
      secret: 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw',
      'webhook-id': 'a',
      'webhook-timestamp': '1',
      'webhook-signature': 'v1,a',
      body: '',
    };
    expect((await send({ webhook })).statusCode).toBe(200);
    expect(JSON.stringify(gateway.bus.requestsOf(CheckWebhookSignature))).not.toMatch(/whsec_|v1,a/);
    expect((await send({})).statusCode).toBe(400);
    expect((await send({ webhook, ...parts(await token()) })).statusCode).toBe(400);
    expect((await send({ webhook: { ...webhook, 'webhook-endpoint-id': SAMPLE.orderId } })).statusCode).toBe(404);
    const inUpperCase = { ...webhook, 'webhook-endpoint-id': SAMPLE.endpointId.toUpperCase() };
    expect((await send({ webhook: inUpperCase })).statusCode).toBe(200);
  });
});
