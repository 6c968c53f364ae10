import { generateKeyPairSync } from 'node:crypto';
import { decodeJwt } from 'jose';
import { AuthenticationError, Ponte } from './index';
import type { PonteOptions } from './index';
import type { Behaviour } from './testing/scripted-server';
import { json, refusal, ScriptedServer, stream, write } from './testing/scripted-server';

const PEM = generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
const MS_PER_SECOND = 1_000;
/** More than a slow machine takes between two lines, and less than the clocks of the tests are wrong. */
const CLOSE_MS = 60_000;
const AHEAD_MS = 3_600_000;

let server: ScriptedServer;
beforeAll(async () => {
  server = await new ScriptedServer().start();
});
afterAll(() => server.stop());

const client = (options: object = {}): Ponte =>
  new Ponte({ baseUrl: server.baseUrl, keyId: 'ak_test_1', privateKey: PEM, ...options } as PonteOptions);

/** The response of an API whose clock is ahead of this machine's. */
const expired: Behaviour = (response, request) => {
  const date = new Date(Date.now() + AHEAD_MS).toUTCString();
  refusal(401, 'token-expired', { date })(response, request);
};
const ok = json({ account: {} });

/** Whether each request was signed with the clock of the API. */
const isSignedWithItsClock = (): boolean[] =>
  server.arrived.map(({ headers, at }) => {
    const { iat = 0 } = decodeJwt(headers.authorization?.replace('Bearer ', '') ?? '');
    return Math.abs(iat * MS_PER_SECOND - (at + AHEAD_MS)) < CLOSE_MS;
  });

describe('a client whose clock is wrong', () => {
  it('takes the time of the API once it is refused, and keeps it for later calls', async () => {
    server.behave(expired, ok);
    const ponte = client();
    await ponte.getAccount('a');
    await ponte.getAccount('a');
    expect(isSignedWithItsClock()).toEqual([false, true, true]);
  });

  it('repeats a write under the same key', async () => {
    server.behave(expired, json({ id: 'q1' }));
    await client().createQuote('a', {} as never);
    const [first, second] = server.arrived.map(({ headers }) => headers['idempotency-key']);
    expect([first !== undefined, second]).toEqual([true, first]);
  });

  it('takes the time for the event log too', async () => {
    server.behave(expired, stream(write('id: 1\ndata: {"event-id":"e1"}\n\n')));
    for await (const { position } of client().events('a')) if (position === 1) break;
    expect(isSignedWithItsClock()).toEqual([false, true]);
  });

  it('is corrected only once in a call, and never more often than the caller allows', async () => {
    server.behave(expired);
    await expect(client().getAccount('a')).rejects.toBeInstanceOf(AuthenticationError);
    expect(server.arrived).toHaveLength(2);
    server.behave(expired);
    await expect(client({ maxRetries: 0 }).getAccount('a')).rejects.toBeInstanceOf(AuthenticationError);
    expect(server.arrived).toHaveLength(1);
  });

  it.each<[string, Behaviour, object]>([
    ['another refusal', refusal(401, 'invalid-signature'), {}],
    ['a response without a date', refusal(401, 'token-expired', { date: 'today' }), {}],
    ['a key that signs nothing', expired, { apiKey: 'k', keyId: undefined, privateKey: undefined }],
  ])('is not corrected after %s', async (_, response, options) => {
    server.behave(response);
    await expect(client(options).getAccount('a')).rejects.toBeInstanceOf(AuthenticationError);
    expect(server.arrived).toHaveLength(1);
  });
});
