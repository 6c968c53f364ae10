import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ponte, PonteConfigurationError } from './index';
import type { HeaderInput, PonteOptions } from './index';
import { json, ScriptedServer } from './testing/scripted-server';

const WITHDRAWAL = { asset: 'fiat/brl', amount: '3.00', method: 'pix' } as never;

let server: ScriptedServer;
beforeAll(async () => {
  server = await new ScriptedServer().start();
});
afterAll(() => server.stop());
beforeEach(() => server.behave(json({ id: 'w1' })));

const client = (options: object = {}): Ponte =>
  new Ponte({ baseUrl: server.baseUrl, apiKey: 'sk_test_secret', ...options } as PonteOptions);
const sent = (name: string) => server.arrived.map(({ headers }) => headers[name]);

describe('the headers of a request', () => {
  it.each(['Idempotency-Key', 'idempotency-key', 'IDEMPOTENCY-KEY'])(
    'may not contain %s, which would be joined with the key of the write',
    async (name) => {
      const headers = { [name]: 'payout-77' };
      const refused = expect(client().createWithdrawal('a', WITHDRAWAL, { headers })).rejects;
      await refused.toBeInstanceOf(PonteConfigurationError);
      await expect(client().createWithdrawal('a', WITHDRAWAL, { headers: new Headers(headers) })).rejects.toThrow(
        'pass the option idempotencyKey of the call',
      );
      expect(() => client({ headers })).toThrow(PonteConfigurationError);
      expect(server.arrived).toEqual([]);
    },
  );

  it('are one per name in any case, and those of the call replace those of the client', async () => {
    const ponte = client({ headers: { 'X-Trace': '1', ACCEPT: 'text/plain', Authorization: 'Bearer other' } });
    const headers = { 'x-trace': '2', 'Content-TYPE': 'application/json; v=1', AUTHORIZATION: 'Bearer another' };
    await ponte.createWithdrawal('a', WITHDRAWAL, { headers, idempotencyKey: 'payout-77' });
    expect(server.arrived[0]?.headers).toMatchObject({
      'x-trace': '2',
      accept: 'application/json',
      'content-type': 'application/json; v=1',
      authorization: 'Bearer sk_test_secret',
      'idempotency-key': 'payout-77',
    });
  });

  it('may be Headers', async () => {
    await client().createWithdrawal('a', WITHDRAWAL, { headers: new Headers({ Prefer: 'dry-run' }) });
    expect(sent('prefer')).toEqual(['dry-run']);
  });

  it('name the version of the package, unless the program names itself', async () => {
    const { version } = JSON.parse(readFileSync(join(__dirname, '../package.json'), 'utf8')) as { version: string };
    await client().getAccount('a');
    await client({ headers: { 'User-Agent': 'shop/1' } }).getAccount('a');
    expect(sent('user-agent')).toEqual([`ponte-sdk/${version}`, 'shop/1']);
  });

  it.each([
    ['a value that is no text', { 'x-trace': undefined as unknown as string }],
    ['a line break', { 'x-trace': 'a\nb' }],
    ['characters that headers cannot contain', { 'x-trace': '😀' }],
    ['a name with a space', { 'x trace': 'a' }],
    ['pairs', [['x-trace', 'a']] as unknown as HeaderInput],
  ])('are refused with %s, and nothing is sent', async (_, headers) => {
    await expect(client().getAccount('a', { headers })).rejects.toBeInstanceOf(PonteConfigurationError);
    expect(() => client({ headers })).toThrow(PonteConfigurationError);
    expect(server.arrived).toEqual([]);
  });
});

describe('an idempotency key', () => {
  it.each(['', ' ', 'payout ', ' payout', 'pagamento-😀', 'ação', 'a\nb', 'k'.repeat(256), 77 as unknown as string])(
    'is refused at once if the API would refuse it or get another one: %j',
    async (idempotencyKey) => {
      const refused = expect(client().createWithdrawal('a', WITHDRAWAL, { idempotencyKey })).rejects;
      await refused.toThrow('idempotencyKey must be 1 to 255 printable ASCII characters');
      expect(server.arrived).toEqual([]);
    },
  );

  it.each(['7', 'payout 77', 'k'.repeat(255)])('is sent as it is: %s', async (idempotencyKey) => {
    await client().createWithdrawal('a', WITHDRAWAL, { idempotencyKey });
    expect(sent('idempotency-key')).toEqual([idempotencyKey]);
  });
});
