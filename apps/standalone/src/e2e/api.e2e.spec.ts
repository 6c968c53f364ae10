import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { Answer, ErrorBody, Json } from './testing/client';
import { Client } from './testing/client';
import { Customer } from './testing/customer';
import type { Operation } from './testing/document';
import { filled, operationsOf } from './testing/document';
import { Operator } from './testing/operator';
import type { Running } from './testing/program';
import { Program, ROOT, SIMULATED, SUITE_MS } from './testing/program';
import { sendRaw } from './testing/raw-http';
import { SigningKey } from './testing/signing-key';
import { until } from './testing/waiting';

jest.setTimeout(SUITE_MS);

const ABSENT = '01900000-0000-7000-8000-000000000000';
/** Several looks of the ledger at the bank, for TEDs that were simulated before. */
const QUIET_MS = 2_000;
const ENV = { ...SIMULATED, LEDGER_POLL_MS: '300' };

let program: Program;
let running: Running;
let operations: Operation[];
let streams: Operation[];
/** The sub-account of the sandbox, with what it owns. */
let child: Customer;
let owned: { readonly order: string; readonly deposit: string; readonly endpoint: string; readonly quote: string };
let partnerId: string;
let foreignId: string;
let clients: Record<'anonymous' | 'partner' | 'child' | 'foreign' | 'readOnly' | 'operator', Client>;
let codes: ReadonlySet<string>;

beforeAll(async () => {
  program = await Program.build();
  running = await program.start(program.dataFolder(), ENV);
  const { sandbox } = running;
  const baseUrl = sandbox['base-url'];
  partnerId = sandbox['account-id'];
  const operator = Operator.of(running);
  foreignId = await operator.openAccount({
    alias: 'another partner',
    'legal-name': 'Outra Parceira SA',
    'tax-id': '11444777000161',
    'onboarding-mode': 'kyc',
  });
  child = Customer.of(sandbox);
  clients = {
    anonymous: new Client(baseUrl, {}),
    partner: child.api,
    child: Client.bearer(baseUrl, await operator.bearerKey(child.accountId, 'read-write')),
    foreign: Client.bearer(baseUrl, await operator.bearerKey(foreignId, 'read-write')),
    readOnly: Client.bearer(baseUrl, await operator.bearerKey(partnerId, 'read-only')),
    operator: operator.api,
  };
  const all = await operationsOf(clients.anonymous);
  operations = all.filter(({ streams }) => !streams);
  streams = all.filter((operation) => operation.streams);
  codes = new Set(
    (await clients.anonymous.get<{ errors: { code: string }[] }>('/api/v1/errors')).errors.map(({ code }) => code),
  );
  const deposit = await child.fund('100.00');
  const accepted = await child.accept(await child.quote('10.00'));
  await child.ended(accepted.body.order.id);
  const { 'webhook-endpoint': endpoint } = await child.api.post<{ 'webhook-endpoint': { id: string } }>(
    child.path('/webhook-endpoints'),
    { url: 'http://127.0.0.1:9/', 'event-types': ['order-rolled-back'] },
  );
  owned = {
    deposit: deposit.id,
    order: accepted.body.order.id,
    endpoint: endpoint.id,
    quote: await child.quote('10.00'),
  };
});
afterAll(async () => {
  await Promise.all(Object.values(clients).map((client) => client.close()));
  await program.close();
});

const codeOf = ({ status, body }: Answer<ErrorBody>): string => `${status} ${body?.error?.code}`;

/** What the child owns, for the {id} of an operation. */
function ownedId({ path }: Operation): string {
  if (path.includes('/orders/')) return owned.order;
  if (path.includes('/deposits/')) return owned.deposit;
  if (path.includes('/webhook-endpoints/')) return owned.endpoint;
  return child.accountId;
}

/** The body of the document, made to fit the account where the example names another. */
function bodyFor(operation: Operation, accountId: string): Json | undefined {
  switch (operation.id) {
    case 'simulate-pix-payment':
      return { 'account-id': accountId, amount: '1.00' };
    case 'simulate-deposit':
      return { 'account-id': accountId, type: 'ted', amount: '1.00' };
    // The example is a day: after three of them the endpoint, where no one listens, is disabled.
    case 'advance-clock':
      return { seconds: 60 };
    case 'create-order':
    case 'create-order-v0':
      return { 'quote-id': owned.quote };
    default:
      return operation.example && 'account-id' in operation.example
        ? { ...operation.example, 'account-id': accountId }
        : operation.example;
  }
}

const call = (
  client: Client,
  operation: Operation,
  accountId: string,
  id = ownedId(operation),
): Promise<Answer<ErrorBody>> =>
  client.send(
    operation.method,
    filled(operation, { 'account-id': accountId, asset: 'brl', id }),
    bodyFor(operation, accountId),
  );

/** Everything of the child that a partner can read: what no one else may have changed. */
const standing = (): Promise<unknown[]> =>
  Promise.all(
    ['', '/orders', '/assets/brl/deposits', '/webhook-endpoints', '/assets/brlv/balance'].map(async (rest) => {
      const read = await child.api.get<Json>(child.path(rest));
      return rest.endsWith('balance') ? (read['balance'] as Json)['running-balance'] : read;
    }),
  );

/** The same, once nothing is under way any more that was begun before. */
const atRest = (): Promise<unknown[]> =>
  until(async () => {
    const { orders } = await child.api.get<{ orders: { state: string }[] }>(child.path('/orders?limit=200'));
    expect(orders.filter(({ state }) => state === 'processing')).toEqual([]);
    const { deposits } = await child.api.get<{ deposits: { status: string }[] }>(
      child.path('/assets/brl/deposits?limit=200'),
    );
    expect(deposits.filter(({ status }) => status !== 'credited' && status !== 'voided')).toEqual([]);
    // A deposit that the bank has sent is listed with the ledger's next look.
    const before = await standing();
    await new Promise((resolve) => {
      setTimeout(resolve, QUIET_MS);
    });
    const after = await standing();
    expect(after).toEqual(before);
    return after;
  });

describe('reliability F1, F2: every operation of the document × every kind of caller', () => {
  const of = (access: Operation['access']) => operations.filter((operation) => operation.access === access);

  it('the document has operations of every kind, and each id once', () => {
    expect(of('public').length).toBeGreaterThan(0);
    expect(of('staff').length).toBeGreaterThan(0);
    expect(of('partner').filter(({ onAccount }) => onAccount).length).toBeGreaterThan(10);
    expect(new Set(operations.map(({ id }) => id)).size).toBe(operations.length);
  });

  it('no credentials: 401 everywhere but where the document asks for none', async () => {
    for (const operation of operations) {
      const answer = await call(clients.anonymous, operation, child.accountId);
      expect([operation.id, codeOf(answer)]).toEqual([
        operation.id,
        operation.access === 'public' ? '200 undefined' : '401 missing-credentials',
      ]);
    }
  });

  it('an event stream opens neither without credentials nor for an account of another partner', async () => {
    expect(streams.map(({ id }) => id)).toEqual(['stream-account-events']);
    for (const operation of streams) {
      expect(codeOf(await call(clients.anonymous, operation, child.accountId))).toBe('401 missing-credentials');
      expect((await call(clients.operator, operation, child.accountId)).status).toBe(401);
    }
  });

  it("a partner's key opens no staff route, nor the staff token a partner's", async () => {
    for (const operation of of('staff'))
      expect([operation.id, (await call(clients.partner, operation, partnerId)).status]).toEqual([operation.id, 401]);
    for (const operation of of('partner'))
      expect([operation.id, (await call(clients.operator, operation, partnerId)).status]).toEqual([operation.id, 401]);
  });

  it('the own key on its own account and on a child, and the child with its own: let in, with an answer that the document knows', async () => {
    for (const operation of of('partner')) {
      if (operation.id === 'delete-webhook-endpoint') continue;
      for (const [client, accountId] of [
        [clients.partner, partnerId],
        [clients.partner, child.accountId],
        [clients.child, child.accountId],
      ] as const) {
        const answer = await call(client, operation, accountId);
        expect([operation.id, answer.status, answer.text.slice(0, 200), operation.statuses.has(answer.status)]).toEqual(
          [operation.id, answer.status, answer.text.slice(0, 200), true],
        );
        expect([operation.id, [401, 500, 503].includes(answer.status)]).toEqual([operation.id, false]);
        // A capability may be lacking; access is not.
        expect(['account-access-denied', 'api-key-read-only']).not.toContain(answer.body?.error?.code);
      }
    }
  });

  it("a foreign partner's key: 403, the same for an account that is there, one that is not and what is no id; nothing changes", async () => {
    const before = await atRest();
    const bodies = new Set<string>();
    for (const operation of of('partner').filter(({ onAccount }) => onAccount)) {
      for (const accountId of [child.accountId, partnerId, ABSENT, 'not-an-id', `${child.accountId}%00`]) {
        const answer = await call(clients.foreign, operation, accountId);
        expect([operation.id, accountId, codeOf(answer)]).toEqual([
          operation.id,
          accountId,
          '403 account-access-denied',
        ]);
        bodies.add(answer.text);
      }
    }
    expect(bodies.size).toBe(1);
    expect(await standing()).toEqual(before);
  });

  it("a child's key does not reach its parent, nor a partner the accounts of another", async () => {
    for (const operation of of('partner').filter(({ onAccount }) => onAccount)) {
      expect([operation.id, codeOf(await call(clients.child, operation, partnerId))]).toEqual([
        operation.id,
        '403 account-access-denied',
      ]);
      expect([operation.id, codeOf(await call(clients.partner, operation, foreignId))]).toEqual([
        operation.id,
        '403 account-access-denied',
      ]);
    }
    const { accounts } = await clients.foreign.get<{ accounts: { id: string }[] }>('/api/v1/accounts');
    expect(accounts.map(({ id }) => id)).toEqual([foreignId]);
    expect(
      codeOf(
        await clients.foreign.send('POST', '/api/v1/sandbox/pix-payments', {
          'account-id': child.accountId,
          amount: '1.00',
        }),
      ),
    ).toBe('403 account-access-denied');
  });

  it('a read-only key reads and does not write', async () => {
    const before = await atRest();
    for (const operation of of('partner')) {
      const answer = await call(clients.readOnly, operation, child.accountId);
      if (operation.writes) expect([operation.id, codeOf(answer)]).toEqual([operation.id, '403 api-key-read-only']);
      else expect([operation.id, [200, 404].includes(answer.status)]).toEqual([operation.id, true]);
    }
    expect(await standing()).toEqual(before);
  });

  it("F2: what belongs to another account is not there, under one's own path", async () => {
    const nested = of('partner').filter(({ path }) => path.includes('{id}'));
    expect(nested.length).toBeGreaterThan(3);
    for (const operation of nested) {
      for (const [client, accountId] of [
        [clients.foreign, foreignId],
        [clients.partner, partnerId],
      ] as const) {
        const theirs = await call(client, operation, accountId);
        expect([operation.id, theirs.status]).toEqual([operation.id, 404]);
        expect([operation.id, (await call(client, operation, accountId, ABSENT)).text]).toEqual([
          operation.id,
          theirs.text,
        ]);
        expect([operation.id, codeOf(await call(client, operation, accountId, 'not-an-id'))]).toEqual([
          operation.id,
          codeOf(theirs),
        ]);
      }
    }
    for (const path of [`/api/v1/accounts/${foreignId}/orders`, '/api/v0/orders']) {
      const [theirs, absent] = await Promise.all(
        [owned.quote, ABSENT].map((id) => clients.foreign.send('POST', path, { 'quote-id': id })),
      );
      expect(codeOf(theirs as Answer<ErrorBody>)).toBe('422 quote-not-found');
      expect(theirs?.text).toBe(absent?.text);
    }
    expect(await child.api.get(child.path('/webhook-endpoints'))).toMatchObject({
      'webhook-endpoints': expect.arrayContaining([expect.objectContaining({ id: owned.endpoint })]) as unknown,
    });
  });
});

describe('a partner that signs its requests itself', () => {
  it('is let in once for each token, with the body that it signed and no other', async () => {
    const key = new SigningKey();
    const {
      'api-key': { id },
    } = await clients.operator.post<{ 'api-key': { id: string } }>(`/staff/accounts/${partnerId}/api-keys`, {
      name: 'signs',
      access: 'read-write',
      algorithm: 'ES256',
      'public-key': key.publicKey,
    });
    const path = child.path('/quotes');
    const body = JSON.stringify({
      'source-asset': 'fiat/brl',
      'target-asset': 'eth-base/brlv',
      'source-amount': '12.00',
    });
    const send = (token: string, sent = body) =>
      clients.anonymous.send('POST', path, sent, { 'x-api-key': id, authorization: `Bearer ${token}` });
    const token = key.token(id, path, body);
    expect(codeOf(await send(token, body.replace('12.00', '99.00')))).toBe('401 body-hash-mismatch');
    expect(await send(token)).toMatchObject({ status: 200, body: { 'source-amount': '12.00' } });
    expect(codeOf(await send(token))).toBe('401 nonce-reused');
    expect(codeOf(await send(key.token(id, '/api/v1/accounts', body)))).toBe('401 uri-mismatch');
    expect(codeOf(await send(new SigningKey().token(id, path, body)))).toBe('401 invalid-signature');
    expect(codeOf(await send(token.replace(/\.[^.]*$/, '.')))).toBe('401 invalid-signature');
    expect(await clients.operator.post(`/staff/api-keys/${id}/revoke`, { reason: 'rotated' })).toMatchObject({
      'api-key': { revoked: true },
    });
    await until(async () => expect(codeOf(await send(key.token(id, path, body)))).toBe('401 revoked-api-key'));
  });

  it('accepts on a sub-account what that account was quoted by v0, and no more of it than its own', async () => {
    const command = { 'source-asset': 'fiat/brl', 'target-asset': 'eth-base/brlv', 'source-amount': '2.00' };
    const quoted = await clients.child.post<{ id: string }>('/api/v0/quotes', command);
    const own = `/api/v1/accounts/${partnerId}/orders`;
    expect(codeOf(await clients.partner.send('POST', own, { 'quote-id': quoted.id }))).toBe('422 quote-not-found');
    expect(await clients.partner.send('POST', child.path('/orders'), { 'quote-id': quoted.id })).toMatchObject({
      status: 200,
      body: { order: { 'quote-id': quoted.id } },
    });
    const parents = await clients.partner.post<{ id: string }>('/api/v0/quotes', command);
    expect(codeOf(await clients.child.send('POST', child.path('/orders'), { 'quote-id': parents.id }))).toBe(
      '422 quote-not-found',
    );
    expect(await clients.partner.send('POST', child.path('/orders'), { 'quote-id': parents.id })).toMatchObject({
      status: 200,
    });
    const dear = await clients.child.post<{ id: string }>('/api/v0/quotes', {
      ...command,
      'source-amount': '900000.00',
    });
    const refused = await clients.child.send('POST', child.path('/orders'), { 'quote-id': dear.id });
    expect([codeOf(refused), refused.body.error.details?.[0]?.['path']]).toEqual([
      '422 insufficient-balance',
      'quote-id',
    ]);
  });

  it('has the limits that an operator gave it, and another key of the same account has its own', async () => {
    const limits = { 'writes-per-second': 1, 'write-burst': 1, 'reads-per-second': 1, 'read-burst': 2 };
    const { 'api-key': made } = await clients.operator.post<{ 'api-key': { secret: string } }>(
      `/staff/accounts/${partnerId}/api-keys`,
      { name: 'slow', bearer: true, 'rate-limits': limits },
    );
    expect(made).toMatchObject({ 'rate-limits': limits });
    const slow = Client.bearer(running.sandbox['base-url'], made.secret);
    // Together, so that the tokens which come back in the meantime are fewer than the calls.
    const answers = await Promise.all(Array.from({ length: 10 }, () => slow.send('GET', '/api/v1/accounts')));
    const refused = answers.filter(({ status }) => status === 429);
    expect([answers.filter(({ status }) => status === 200).length >= 2, refused.length > 0]).toEqual([true, true]);
    for (const answer of refused) {
      expect(codeOf(answer)).toBe('429 rate-limited');
      expect(answer.headers).toMatchObject({
        'retry-after': '1',
        'ratelimit-limit': '2',
        'ratelimit-remaining': '0',
        'ratelimit-reset': expect.any(String) as string,
      });
    }
    expect(await clients.partner.send('GET', '/api/v1/accounts')).toMatchObject({
      status: 200,
      headers: { 'ratelimit-limit': '10000' },
    });
    await slow.close();
  });
});

describe('every error has the documented form and no stack trace', () => {
  function expectEnvelope(
    of: string,
    answer: { readonly status: number; readonly headers: unknown; readonly text: string },
    status?: number,
  ): void {
    const { error } = JSON.parse(answer.text) as ErrorBody;
    expect([of, answer.status, status ?? answer.status]).toEqual([of, answer.status, answer.status]);
    expect([of, answer.status >= 400 && answer.status < 500]).toEqual([of, true]);
    expect([of, Object.keys(error).filter((key) => key !== 'details')]).toEqual([of, ['type', 'message', 'code']]);
    expect([of, error.code, codes.has(error.code)]).toEqual([of, error.code, true]);
    if (answer.status === 400 || answer.status === 422)
      expect([of, error.details?.[0]?.code]).toEqual([of, error.code]);
    expect(answer.text).not.toMatch(/\bat .+:\d+|node_modules|Error:/);
    expect(JSON.stringify(answer.headers).toLowerCase()).toContain('x-request-id');
    expect(JSON.stringify(answer.headers).toLowerCase()).toContain('application/json');
  }

  const DEEP = `${'['.repeat(5_000)}${']'.repeat(5_000)}`;
  const BODIES: readonly [string, string, Readonly<Record<string, string>>?][] = [
    ['half of a body', '{"source-asset":"fiat/brl"'],
    ['a list', '[]'],
    ['a text', '"hello"'],
    ['a number', '1e999'],
    ['null', 'null'],
    ['depth', DEEP],
    ['a prototype', '{"__proto__":{"admin":true}}'],
    ['a constructor', '{"constructor":{"prototype":{"admin":true}}}'],
    ['a stranger', '{"state":"completed","id":"x"}'],
    ['too much', JSON.stringify({ text: 'x'.repeat(70_000) })],
    ['markup', '<order/>', { 'content-type': 'application/xml' }],
    ['a form', 'quote-id=1', { 'content-type': 'application/x-www-form-urlencoded' }],
    ['a wrong charset', '{"no":1}', { 'content-type': 'application/json; charset=utf-16' }],
    ['a zip', '{"no":1}', { 'content-encoding': 'gzip' }],
    ['an answer in French', '{"x":1}', { accept: 'text/html' }],
  ];

  it('garbage in the body of every operation that takes one', async () => {
    for (const operation of operations.filter(({ writes, method }) => writes && method !== 'DELETE')) {
      const client = operation.access === 'staff' ? clients.operator : clients.partner;
      const path = filled(operation, { 'account-id': child.accountId, asset: 'brl', id: ownedId(operation) });
      for (const [what, body, headers] of BODIES) {
        expectEnvelope(`${what} at ${operation.id}`, await client.send(operation.method, path, body, headers));
      }
    }
  });

  it('garbage in the query and the path of every operation', async () => {
    const query = '?limit=-1&cursor=%00&state=%F0%9F%92%A9&created-from=yesterday&status[]=x&__proto__=1&limit=2';
    for (const operation of operations) {
      const client = operation.access === 'staff' ? clients.operator : clients.partner;
      const parameters = { 'account-id': child.accountId, asset: 'brl', id: ownedId(operation) };
      const garbled = await client.send(
        operation.method,
        `${filled(operation, parameters)}${query}`,
        operation.writes ? '{"no":1}' : undefined,
      );
      if (garbled.status >= 400) expectEnvelope(`query at ${operation.id}`, garbled);
      for (const name of Object.keys(parameters).filter((one) => operation.path.includes(`{${one}}`))) {
        // A URL with `..` is another path before it is sent, and this one is that of an operation that exists.
        const dots = operation.path.includes('/assets/{asset}/withdrawals') ? [] : ['..'];
        for (const value of [...dots, '%', "'; DROP TABLE orders; --", 'x'.repeat(3_000), '\u0000', '💩']) {
          const answer = await client.send(
            operation.method,
            filled(operation, { ...parameters, [name]: value }),
            operation.writes ? '{}' : undefined,
          );
          expectEnvelope(`${name} ${value.slice(0, 20)} at ${operation.id}`, answer);
        }
      }
      const wrong = await client.send(operation.method === 'DELETE' ? 'PUT' : 'DELETE', filled(operation, parameters));
      if (wrong.status === 405) expectEnvelope(`another method at ${operation.id}`, wrong);
    }
  });

  it('a body that is too large is read to its end, so that its response passes load balancers; one that is far too large is cut off', async () => {
    const { 'base-url': baseUrl, 'api-key': apiKey } = running.sandbox;
    const head = `Host: x\r\nAuthorization: Bearer ${apiKey}\r\nContent-Type: application/json`;
    const body = JSON.stringify({ text: 'x'.repeat(1_000_000) });
    const both = await sendRaw(
      baseUrl,
      `POST ${child.path('/quotes')} HTTP/1.1\r\n${head}\r\nContent-Length: ${body.length}\r\n\r\n${body}GET /api/v1/accounts HTTP/1.1\r\n${head}\r\nConnection: close\r\n\r\n`,
    );
    expect([both.status, both.headers.includes('connection: close')]).toEqual([413, false]);
    expect(both.body).toContain('"code":"body-too-large"}}HTTP/1.1 200 OK');
    const endless = await sendRaw(
      baseUrl,
      `POST ${child.path('/quotes')} HTTP/1.1\r\n${head}\r\nContent-Length: 100000000\r\n\r\n{`,
    );
    expect([endless.status, endless.headers.includes('connection: close')]).toEqual([413, true]);
  });

  it('bytes that are hardly HTTP', async () => {
    const { sandbox } = running;
    const path = child.path('/quotes');
    const auth = `Authorization: Bearer ${sandbox['api-key']}\r\nContent-Type: application/json`;
    const requests: readonly (string | Buffer)[] = [
      'GARBAGE\r\n\r\n',
      Buffer.from([0, 1, 2, 3, 13, 10, 13, 10]),
      'GET / HTTP/9.9\r\n\r\n',
      'GET /%ZZ HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n',
      'GET /api/v1/accounts HTTP/1.1\r\nConnection: close\r\n\r\n',
      `BREW ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
      `POST ${path} HTTP/1.1\r\nHost: x\r\n${auth}\r\nContent-Length: nine\r\n\r\n{}`,
      `POST ${path} HTTP/1.1\r\nHost: x\r\n${auth}\r\nContent-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\n{}`,
      `POST ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${auth}\r\nTransfer-Encoding: chunked\r\n\r\nZZ\r\n{}\r\n`,
      `GET ${path} HTTP/1.1\r\nHost: x\r\nX-Long: ${'a'.repeat(20_000)}\r\n\r\n`,
      `GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${'X-Many: 1\r\n'.repeat(300)}\r\n`,
      Buffer.concat([
        Buffer.from(`POST ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n${auth}\r\nContent-Length: 4\r\n\r\n`),
        Buffer.from([0xff, 0xfe, 0x7b, 0x7d]),
      ]),
      `POST ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nExpect: coffee\r\n${auth}\r\nContent-Length: 2\r\n\r\n{}`,
    ];
    for (const request of requests) {
      const answer = await sendRaw(sandbox['base-url'], request);
      expectEnvelope(request.toString().slice(0, 60), {
        status: answer.status,
        headers: answer.headers,
        text: answer.body,
      });
    }
    expect(await clients.anonymous.get('/readyz')).toEqual({ status: 'ready' });
    expect(running.log).toBe('');
  });
});

describe('what a newcomer copies', () => {
  const sh = async (script: string, cwd: string): Promise<Json> =>
    JSON.parse((await promisify(execFile)('sh', ['-c', script], { cwd })).stdout) as Json;
  const hasCurl =
    process.env['PATH']?.split(':').some((folder) => {
      try {
        return readFileSync(join(folder, 'curl')).length > 0;
      } catch {
        return false;
      }
    }) ?? false;

  (hasCurl ? it : it.skip)("README's curl works as it stands, and the one that the start prints", async () => {
    const blocks = [...readFileSync(join(ROOT, 'README.md'), 'utf8').matchAll(/```sh\n([\s\S]*?)```/g)].map(
      ([, block = '']) => block,
    );
    const copied = blocks.find((block) => block.includes('curl')) ?? '';
    const [printed = ''] = running.printed.slice(running.printed.indexOf('curl -s')).split('\n\n');
    for (const script of [copied, printed]) {
      expect(await sh(script, dirname(running.dataDirectory))).toMatchObject({
        'source-asset': 'fiat/brl',
        'target-asset': 'eth-base/brlv',
        'source-amount': '100.00',
        'target-amount': '100.000000000000000000',
      });
    }
  });
});
