import 'reflect-metadata';
import { eventually } from '@ponte/testing';
import { request } from 'undici';
import { type GatewayUnderTest, startGateway } from '../testing/gateway-under-test';
import { CHILD } from '../testing/accounts';
import { KEY } from '../testing/api-keys';

const QUOTE = { 'source-asset': 'fiat/brl', 'target-asset': 'eth-base/brlv', 'source-amount': '100.00' };

let gateway: GatewayUnderTest;
beforeAll(async () => {
  gateway = await startGateway();
});
afterAll(() => gateway.stop());

/** Sets the database's clock, which all processes share, this many milliseconds behind that of the gateway. */
const gatewayAheadBy = (ms: number) =>
  gateway.engines.clockSkew?.measure(async () => gateway.engines.systemClock.now() - ms);

async function answers(): Promise<{ write: string; read: number; retryAfter: string | string[] | undefined }> {
  const headers = { authorization: `Bearer ${KEY.partner}`, 'content-type': 'application/json' };
  const path = `http://127.0.0.1:${gateway.port}/api/v1/accounts/${CHILD}`;
  const written = await request(`${path}/quotes`, { method: 'POST', headers, body: JSON.stringify(QUOTE) });
  const { error } = (await written.body.json()) as { error?: { code: string } };
  const read = await request(path, { headers });
  await read.body.dump();
  return {
    write: error?.code ?? String(written.statusCode),
    read: read.statusCode,
    retryAfter: written.headers['retry-after'],
  };
}

async function reported(): Promise<number> {
  const metrics = await gateway.engines.metrics.registry.metrics();
  return Number(/^ponte_clock_skew_seconds(?:{[^}]*})? (.*)$/m.exec(metrics)?.[1]);
}

describe('a gateway whose clock is wrong', () => {
  it.each([600, -600, 4_900])('by %i ms reports the difference and serves reads and writes', async (ms) => {
    // A pause of the machine during a measurement adds half of its length to the difference.
    await eventually(async () => {
      await gatewayAheadBy(ms);
      expect(Math.abs((await reported()) - Math.abs(ms) / 1_000)).toBeLessThan(0.1);
    });
    expect(await answers()).toEqual({ write: '200', read: 200, retryAfter: undefined });
  });

  it.each([6_000, -6_000])('by %i ms refuses writes but serves reads until its clock is correct again', async (ms) => {
    await eventually(async () => {
      await gatewayAheadBy(ms);
      expect(await reported()).toBeGreaterThan(5.9);
    });
    expect(await answers()).toEqual({
      write: 'service-unavailable',
      read: 200,
      retryAfter: expect.stringMatching(/^\d+$/),
    });
    await gatewayAheadBy(0);
    expect(await answers()).toEqual({ write: '200', read: 200, retryAfter: undefined });
  });
});
