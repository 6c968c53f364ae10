import 'reflect-metadata';
import { GetApiKey } from '@ponte/contracts';
import { KEY } from '../testing/api-keys';
import type { GatewayUnderTest } from '../testing/gateway-under-test';
import { startGateway } from '../testing/gateway-under-test';
import { codeOf } from '../testing/use-gateway';

const SETTING = 'PONTE_FAILED_AUTHENTICATIONS_PER_MINUTE';
let gateway: GatewayUnderTest;
/** How many failures with such credentials were answered with 429. */
async function limited(credentials: string): Promise<number> {
  const name = `ponte_gateway_authentications_limited_total{credentials="${credentials}"} `;
  const series = (await gateway.engines.metrics.registry.metrics()).split('\n').find((line) => line.startsWith(name));
  return Number(series?.slice(name.length));
}
beforeAll(async () => {
  process.env[SETTING] = '1';
  gateway = await startGateway();
});
afterAll(async () => {
  delete process.env[SETTING];
  await gateway.stop();
});

describe('the gateway, after too many failed authentications from an address', () => {
  let invented = 0;
  const send = (headers: Record<string, string>, remoteAddress: string) =>
    gateway.app.inject({ url: '/api/v1/pairs', headers, remoteAddress });
  const fail = (address: string) => {
    invented += 1;
    return send(
      { 'x-api-key': `ak_test_${String(invented).padStart(24, '0')}`, authorization: 'Bearer a.b.c' },
      address,
    );
  };

  it('answers further ones with 429 without a look-up, but accepts a key in use and other addresses', async () => {
    expect(codeOf(await send({ authorization: `Bearer ${KEY.partner}` }, '192.0.2.1'))).toBe('200');
    expect(codeOf(await fail('192.0.2.1'))).toBe('401 unknown-api-key');
    expect(await limited('api-key')).toBe(0);
    const second = await fail('192.0.2.1');
    expect(codeOf(second)).toBe('429 too-many-failed-authentications');
    expect(Number(second.headers['retry-after'])).toBeGreaterThanOrEqual(1);
    const lookUps = gateway.bus.requestsOf(GetApiKey).length;
    expect(codeOf(await fail('192.0.2.1'))).toBe('429 rate-limited');
    expect(gateway.bus.requestsOf(GetApiKey).length).toBe(lookUps);
    expect(await limited('api-key')).toBe(2);
    expect(codeOf(await send({ authorization: `Bearer ${KEY.partner}` }, '192.0.2.1'))).toBe('200');
    expect(codeOf(await fail('192.0.2.2'))).toBe('401 unknown-api-key');
    gateway.clock.offset += 61_000;
    expect(codeOf(await fail('192.0.2.1'))).toBe('401 unknown-api-key');
  });
});

describe('the gateway, after too many wrong staff tokens from an address', () => {
  const send = (token: string, remoteAddress: string) =>
    gateway.app.inject({ url: '/staff/accounts', headers: { authorization: `Staff ${token}` }, remoteAddress });

  it('answers further ones with 429, but accepts the right token and other addresses', async () => {
    expect(codeOf(await send('wrong-1', '192.0.2.9'))).toBe('401 invalid-staff-token');
    expect(await limited('staff-token')).toBe(0);
    for (const token of ['wrong-2', 'wrong-3']) {
      const refused = await send(token, '192.0.2.9');
      expect(codeOf(refused)).toBe('429 too-many-failed-authentications');
      expect(Number(refused.headers['retry-after'])).toBeGreaterThanOrEqual(1);
    }
    expect(await limited('staff-token')).toBe(2);
    expect(codeOf(await send(gateway.staffToken, '192.0.2.9'))).toBe('200');
    expect(codeOf(await send('wrong-4', '192.0.2.10'))).toBe('401 invalid-staff-token');
    gateway.clock.offset += 61_000;
    expect(codeOf(await send('wrong-5', '192.0.2.9'))).toBe('401 invalid-staff-token');
  });

  it('still looks up the keys of partners at the address, which count apart', async () => {
    for (const token of ['wrong-1', 'wrong-2']) await send(token, '192.0.2.11');
    const headers = { 'x-api-key': `ak_test_${'0'.repeat(20)}beef`, authorization: 'Bearer a.b.c' };
    const partner = await gateway.app.inject({ url: '/api/v1/pairs', headers, remoteAddress: '192.0.2.11' });
    expect(codeOf(partner)).toBe('401 unknown-api-key');
    const none = await gateway.app.inject({ url: '/staff/accounts', headers: {}, remoteAddress: '192.0.2.11' });
    expect(codeOf(none)).toBe('401 missing-credentials');
  });
});
