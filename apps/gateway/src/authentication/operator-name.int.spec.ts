import { CreateApiKey } from '@ponte/contracts';
import type { LightMyRequestResponse } from 'fastify';
import { PARTNER } from '../testing/accounts';
import type { GatewayUnderTest } from '../testing/gateway-under-test';
import { startGateway } from '../testing/gateway-under-test';

const KEYS = `/staff/accounts/${PARTNER}/api-keys`;
const BODY = { name: 'backend', access: 'read-only', bearer: true };

let gateway: GatewayUnderTest;
afterEach(() => gateway.stop());

/** The actors of the commands that the gateway sent. */
function actors(): (string | undefined)[] {
  const seen: (string | undefined)[] = [];
  gateway.bus.on(CreateApiKey, ({ accountId, keyId, name, access }, { actor }) => {
    seen.push(actor);
    return { keyId, accountId, name, access, revoked: false } as never;
  });
  return seen;
}
const send = (operator: Record<string, string>, request = {}): Promise<LightMyRequestResponse> =>
  gateway.app.inject({
    ...{ method: 'POST', url: KEYS, payload: BODY },
    headers: { authorization: `Staff ${gateway.staffToken}`, ...operator },
    ...request,
  });

describe('A write with the staff token', () => {
  it('records the person whom X-Operator names', async () => {
    gateway = await startGateway();
    const seen = actors();
    expect((await send({ 'x-operator': 'ana.souza' })).statusCode).toBe(200);
    expect((await send({ 'x-operator': 'Ana de Souza' })).statusCode).toBe(200);
    expect((await send({})).statusCode).toBe(200);
    expect(seen).toEqual(['staff:ana.souza', 'staff:Ana de Souza', 'staff']);
  });

  it('has one effect under one Idempotency-Key, although another person repeats it', async () => {
    gateway = await startGateway();
    const seen = actors();
    const keyed = { 'idempotency-key': 'one' };
    const first = await send({ 'x-operator': 'ana', ...keyed });
    const second = await send({ 'x-operator': 'bia', ...keyed });
    expect([second.body, second.headers['idempotency-replayed']]).toEqual([first.body, 'true']);
    expect(seen).toEqual(['staff:ana']);
  });

  it.each(['', 'x'.repeat(81), 'José'])('refuses the name "%s"', async (name) => {
    gateway = await startGateway();
    const seen = actors();
    const response = await send({ 'x-operator': name });
    expect([response.statusCode, response.json()]).toMatchObject([
      400,
      { error: { code: 'invalid-format', details: [{ path: 'X-Operator' }] } },
    ]);
    expect(response.json<{ error: { message: string } }>().error.message).toContain(
      'must be 1 to 80 printable ASCII characters',
    );
    expect(seen).toEqual([]);
  });

  it('is refused in production without the name; a read is not, and a wrong token is refused first', async () => {
    gateway = await startGateway('production');
    const seen = actors();
    const response = await send({});
    expect([response.statusCode, response.json()]).toMatchObject([
      400,
      { error: { code: 'missing-field', details: [{ path: 'X-Operator' }] } },
    ]);
    expect((await send({}, { headers: { authorization: 'Staff wrong' } })).statusCode).toBe(401);
    expect((await send({}, { method: 'GET', url: '/staff/pricing-rules', payload: undefined })).statusCode).toBe(200);
    expect(seen).toEqual([]);
  });
});
