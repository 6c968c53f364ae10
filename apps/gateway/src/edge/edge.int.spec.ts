import 'reflect-metadata';
import { createHash, generateKeyPairSync } from 'node:crypto';
import { once } from 'node:events';
import type { IncomingMessage, Server } from 'node:http';
import { connect } from 'node:net';
import type { LightMyRequestResponse } from 'fastify';
import { SignJWT } from 'jose';
import type { Logger } from 'pino';
import { ApiKeyRevoked, CreateWebhookEndpoint, GetAccountParent, PlaceOrder, RequestQuote } from '@ponte/contracts';
import { NO_STREAM } from '@ponte/event-sourcing';
import { refusal, Unavailable } from '@ponte/kernel';
import { LOGGER } from '@ponte/nest';
import { anEvent, eventually } from '@ponte/testing';
import { orderRecord, quoteRecord } from '../testing/records';
import { CHILD, JWT_KEY_ID, jwtKeys, KEY, PARTNER, STRANGER } from '../testing/fixtures';
import { codeOf, useGateway } from '../testing/use-gateway';
import { SAMPLE } from '../api/samples';

const gateway = useGateway();

type Json = Record<string, unknown>;
interface Envelope {
  readonly error: {
    readonly type: string;
    readonly message: string;
    readonly code: string;
    readonly details?: readonly { path: string; code: string }[];
  };
}

const [QUOTES, ORDERS] = [`/api/v1/accounts/${CHILD}/quotes`, `/api/v1/accounts/${CHILD}/orders`];
const QUOTE = { 'source-asset': 'fiat/brl', 'target-asset': 'eth-base/brlv', 'source-amount': '100.00' };
const key = { authorization: `Bearer ${KEY.partner}` };
const send = (
  method: 'GET' | 'POST' | 'DELETE' | 'PUT' | 'PATCH' | 'OPTIONS',
  url: string,
  payload?: string | Buffer,
  headers: Json = {},
) =>
  gateway.app.inject({
    method,
    url,
    headers: { ...key, ...(payload === undefined ? {} : { 'content-type': 'application/json' }), ...headers } as Record<
      string,
      string
    >,
    ...(payload === undefined ? {} : { payload }),
  });
const post = (url: string, body: unknown, headers: Json = {}) => send('POST', url, JSON.stringify(body), headers);
const errorOf = (answer: LightMyRequestResponse) => (answer.json() as Envelope).error;

describe('bad input gets the error of the catalogue with a path to each violation, and nothing is asked of a service', () => {
  const id = SAMPLE.quoteId;
  it.each<[string, string, unknown, string, string[]]>([
    ['nothing at all', QUOTES, {}, '400 missing-field', ['source-asset missing-field', 'target-asset missing-field']],
    [
      'a number for an amount',
      QUOTES,
      { ...QUOTE, 'source-amount': 100 },
      '400 amount-must-be-string',
      ['source-amount amount-must-be-string'],
    ],
    [
      'an amount with an exponent',
      QUOTES,
      { ...QUOTE, 'source-amount': '1e2' },
      '400 invalid-format',
      ['source-amount invalid-format'],
    ],
    [
      'an unknown asset',
      QUOTES,
      { ...QUOTE, 'source-asset': 'fiat/eur' },
      '400 invalid-enum-value',
      ['source-asset invalid-enum-value'],
    ],
    [
      'server members',
      QUOTES,
      { ...QUOTE, id, state: 'completed', 'account-id': PARTNER },
      '400 unknown-field',
      ['id unknown-field', 'state unknown-field', 'account-id unknown-field'],
    ],
    [
      'camelCase',
      QUOTES,
      { sourceAsset: 'fiat/brl', targetAsset: 'eth-base/brlv' },
      '400 missing-field',
      [
        'source-asset missing-field',
        'target-asset missing-field',
        'sourceAsset unknown-field',
        'targetAsset unknown-field',
      ],
    ],
    [
      'null in a required member',
      QUOTES,
      { ...QUOTE, 'source-asset': null, 'target-amount': null },
      '400 invalid-type',
      ['source-asset invalid-type'],
    ],
    ['a list', QUOTES, [QUOTE], '400 invalid-type', [' invalid-type']],
    ['null', QUOTES, null, '400 invalid-type', [' invalid-type']],
    ['a text', QUOTES, 'text', '400 invalid-type', [' invalid-type']],
    ['a malformed quote id', ORDERS, { 'quote-id': 'x' }, '400 invalid-format', ['quote-id invalid-format']],
    [
      'a malformed wallet',
      ORDERS,
      { 'quote-id': id, 'target-wallet-address': '0x12' },
      '400 invalid-format',
      ['target-wallet-address invalid-format'],
    ],
    [
      'another method of payment',
      ORDERS,
      { 'quote-id': id, 'source-payment-method': 'card' },
      '400 invalid-enum-value',
      ['source-payment-method invalid-enum-value'],
    ],
    [
      'the same in v0',
      '/api/v0/orders',
      { 'quote-id': id, 'source-payment-method': 'card' },
      '400 invalid-enum-value',
      ['source-payment-method invalid-enum-value'],
    ],
    [
      'an unknown event',
      `/api/v1/accounts/${CHILD}/webhook-endpoints`,
      { url: 'https://a.example', 'event-types': ['order-completed', 'order-exploded'] },
      '400 invalid-enum-value',
      ['event-types[1] invalid-enum-value'],
    ],
    [
      'a body for a ping',
      `/api/v1/accounts/${CHILD}/webhook-endpoints/${SAMPLE.endpointId}/ping`,
      { loud: true },
      '400 unknown-field',
      ['loud unknown-field'],
    ],
  ])('%s', async (_, url, body, code, details) => {
    const before = gateway.bus.asked.length;
    const answer = await post(url, body);
    expect(codeOf(answer)).toBe(code);
    expect(errorOf(answer).details?.map((violation) => `${violation.path} ${violation.code}`)).toEqual(details);
    expect(gateway.bus.asked.slice(before).filter(({ pattern }) => !pattern.startsWith('onboarding.query'))).toEqual(
      [],
    );
  });

  it.each<[string, string | Buffer, string]>([
    ['half a body', '{"source-asset":', '400 malformed-json'],
    ['not JSON', 'source=1', '400 malformed-json'],
    ['a byte that is no UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d]), '400 malformed-json'],
    ['a prototype in half a body', '{"__proto__":{"admin":true}', '400 malformed-json'],
    ['nothing but a prototype', '"__proto__"', '400 invalid-type'],
    ['a member called constructor', '{"constructor":1}', '400 missing-field'],
    ['nothing', '', '400 missing-field'],
    ['33 levels', '['.repeat(33) + ']'.repeat(33), '400 invalid-format'],
    ['10,000 levels', '{"a":'.repeat(10_000) + '1' + '}'.repeat(10_000), '400 invalid-format'],
    ['more than 64 kB', JSON.stringify({ ...QUOTE, 'rate-lock': 'x'.repeat(65_536) }), '413 body-too-large'],
  ])('%s', async (_, payload, code) => expect(codeOf(await send('POST', QUOTES, payload))).toBe(code));

  it.each<[string, string, string[]]>([
    ['a prototype', `{"__proto__":{"admin":true},${JSON.stringify(QUOTE).slice(1)}`, ['__proto__ unknown-field']],
    [
      'a constructor, an escaped prototype and other faults',
      '{"constructor":{"prototype":{}},"source-asset":"x","a":{"\\u005f_proto__":1}}',
      [
        'source-asset invalid-enum-value',
        'target-asset missing-field',
        'constructor unknown-field',
        'a unknown-field',
        'a.__proto__ unknown-field',
      ],
    ],
    [
      'members twice',
      `{"source-asset":"fiat/usd",${JSON.stringify({ ...QUOTE, deep: { a: 1 } }).slice(1, -2)},"a":1}}`,
      ['source-asset malformed-json', 'deep.a malformed-json'],
    ],
    ['a poison twice', '{"__proto__":1,"__proto__":2}', ['__proto__ malformed-json']],
  ])('%s: reported with its place', async (_, payload, details) => {
    const answer = await send('POST', QUOTES, payload);
    expect([answer.statusCode, errorOf(answer).details?.map(({ path, code }) => `${path} ${code}`)]).toEqual([
      400,
      details,
    ]);
  });

  it('"in a quote excess decimals are truncated": as text, up to 40 characters', async () => {
    for (const [sent, asked] of [
      ['1.0000000000000000019', '1.000000000000000001'],
      [`0.${'1'.repeat(38)}`, `0.${'1'.repeat(18)}`],
      [`0.${'0'.repeat(18)}1`, `0.${'0'.repeat(18)}`],
      ['12.50', '12.50'],
    ]) {
      expect(codeOf(await post(QUOTES, { ...QUOTE, 'source-amount': sent }))).toBe('200');
      expect(gateway.bus.askedOf(RequestQuote).at(-1)?.payload).toMatchObject({ sourceAmount: asked });
    }
    for (const bad of [
      '0.0',
      `0.${'0'.repeat(38)}`,
      `0.${'1'.repeat(39)}`,
      '01.5',
      '1.',
      '.5',
      '+1',
      '1e3',
      ' 1',
      '1,5',
      '\u0661',
      '1'.repeat(19),
    ]) {
      expect([bad, codeOf(await post(QUOTES, { ...QUOTE, 'source-amount': bad }))]).toEqual([
        bad,
        '400 invalid-format',
      ]);
    }
  });

  it.each<[string, Json, string]>([
    ['text', { 'content-type': 'text/plain' }, '415 unsupported-media-type'],
    ['a form', { 'content-type': 'application/x-www-form-urlencoded' }, '415 unsupported-media-type'],
    ['two types in one', { 'content-type': 'application/json, text/plain' }, '415 unsupported-media-type'],
    ['compressed', { 'content-encoding': 'gzip' }, '415 unsupported-media-type'],
    ['answers that are not JSON', { accept: 'text/html' }, '406 not-acceptable'],
    ['JSON refused', { accept: 'application/json;q=0, */*' }, '406 not-acceptable'],
    ['an empty Accept', { accept: '' }, '200'],
    ['JSON among others', { accept: 'text/html, application/*;q=0.5' }, '200'],
    ['a charset', { 'content-type': 'application/json; charset=utf-8' }, '200'],
    ['an idempotency key that is not ASCII', { 'idempotency-key': 'chávè' }, '400 invalid-format'],
    ['an empty idempotency key', { 'idempotency-key': '' }, '400 invalid-format'],
    ['a long idempotency key', { 'idempotency-key': 'k'.repeat(256) }, '400 invalid-format'],
  ])('%s', async (_, headers, code) =>
    expect(codeOf(await send('POST', QUOTES, JSON.stringify(QUOTE), headers))).toBe(code),
  );

  it('passes refusals and unavailability of a service on, and shows nothing of a failure', async () => {
    gateway.bus.on(RequestQuote, () => {
      throw refusal('asset-pair-not-supported', 'this pair is not sold', 'target-asset');
    });
    expect(errorOf(await post(QUOTES, QUOTE))).toEqual({
      type: 'validation',
      message: 'this pair is not sold',
      code: 'asset-pair-not-supported',
      details: [{ path: 'target-asset', code: 'asset-pair-not-supported', message: 'this pair is not sold' }],
    });
    gateway.bus.on(RequestQuote, () => {
      throw new Unavailable('pricing-unavailable');
    });
    const answer = await post(QUOTES, QUOTE);
    expect([codeOf(answer), answer.headers['retry-after']]).toEqual(['503 pricing-unavailable', '1']);
    gateway.bus.on(RequestQuote, () => {
      throw new Error('canary at secret.ts:12');
    });
    const failed = await post(QUOTES, QUOTE);
    expect(codeOf(failed)).toBe('500 internal-error');
    expect(failed.body).not.toMatch(/canary|secret/);
    gateway.bus.on(RequestQuote, (payload) => quoteRecord(payload));
  });
});

describe('raw bytes always get our envelope', () => {
  const exchange = (bytes: string): Promise<string> =>
    new Promise((resolve, reject) => {
      const socket = connect(gateway.port, '127.0.0.1', () => socket.write(bytes));
      let received = '';
      socket.on('data', (chunk) => {
        received += chunk.toString('latin1');
      });
      socket.on('close', () => resolve(received));
      socket.on('error', reject);
    });
  const request = (lines: string[], body = '') => `${[...lines, 'Connection: close', '', ''].join('\r\n')}${body}`;

  it.each<[string, string, number, string]>([
    ['garbage', 'hello\r\n\r\n', 400, 'malformed-request'],
    ['another protocol', 'PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n', 400, 'malformed-request'],
    ['a TLS greeting', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03', 400, 'malformed-request'],
    ['no host', request(['GET /api/v1/errors HTTP/1.1']), 400, 'malformed-request'],
    ['two hosts', request(['GET /api/v1/errors HTTP/1.1', 'Host: a', 'host: b']), 400, 'malformed-request'],
    [
      'a method of which no one knows',
      request(['QUERY /api/v1/errors HTTP/1.1', 'Host: a']),
      405,
      'method-not-allowed',
    ],
    ['the same where nothing is', request(['QUERY /nothing HTTP/1.1', 'Host: a']), 404, 'route-not-found'],
    [
      'two lengths',
      request(['POST /x HTTP/1.1', 'Host: a', 'Content-Length: 1', 'Content-Length: 2'], 'ab'),
      400,
      'malformed-request',
    ],
    [
      'a length and chunks',
      request(['POST /x HTTP/1.1', 'Host: a', 'Content-Length: 5', 'Transfer-Encoding: chunked'], '0\r\n\r\n'),
      400,
      'malformed-request',
    ],
    [
      '17 kB of headers',
      request(['GET / HTTP/1.1', 'Host: a', `X-Long: ${'x'.repeat(17_000)}`]),
      431,
      'headers-too-large',
    ],
    [
      '101 headers',
      request(['GET / HTTP/1.1', 'Host: a', ...Array.from({ length: 101 }, (_, i) => `X-${i}: 1`)]),
      431,
      'headers-too-large',
    ],
    [
      'an expectation',
      request(['POST /x HTTP/1.1', 'Host: a', 'Expect: miracles', 'Content-Length: 0']),
      417,
      'expectation-failed',
    ],
    [
      'two content types',
      request(
        [
          `POST ${QUOTES} HTTP/1.1`,
          'Host: a',
          `Authorization: ${key.authorization}`,
          'Content-Type: application/json',
          'Content-Type: text/plain',
          'Content-Length: 2',
        ],
        '{}',
      ),
      415,
      'unsupported-media-type',
    ],
    [
      'two authorizations',
      request([
        `GET ${ORDERS} HTTP/1.1`,
        'Host: a',
        `Authorization: ${key.authorization}`,
        `authorization: Bearer ${KEY.stranger}`,
      ]),
      400,
      'malformed-request',
    ],
    [
      'two API keys',
      request([
        `GET ${ORDERS} HTTP/1.1`,
        'Host: a',
        `Authorization: ${key.authorization}`,
        'X-API-Key: a',
        'X-Api-Key: b',
      ]),
      400,
      'malformed-request',
    ],
    [
      'two idempotency keys',
      request([
        `POST ${QUOTES} HTTP/1.1`,
        'Host: a',
        `Authorization: ${key.authorization}`,
        'Idempotency-Key: a',
        'Idempotency-Key: a',
        'Content-Length: 0',
      ]),
      400,
      'malformed-request',
    ],
    [
      'no content type',
      request([`POST ${QUOTES} HTTP/1.1`, 'Host: a', `Authorization: ${key.authorization}`, 'Content-Length: 2'], '{}'),
      415,
      'unsupported-media-type',
    ],
    [
      'an absolute target elsewhere',
      request(['GET http://other.example/secret HTTP/1.1', 'Host: a']),
      404,
      'route-not-found',
    ],
    ['a path with a null', request(['GET /%00 HTTP/1.1', 'Host: a']), 404, 'route-not-found'],
  ])('%s', async (_, bytes, status, code) => {
    const received = await exchange(bytes);
    const [head = '', body = ''] = received.split('\r\n\r\n');
    expect(head.split('\r\n')[0]).toContain(`HTTP/1.1 ${status} `);
    expect(head.toLowerCase()).toContain('x-request-id: ');
    expect((JSON.parse(body) as Envelope).error.code).toBe(code);
  });

  it('a caller that hangs up in the middle of its body is no error of ours', async () => {
    const failed = jest.spyOn(gateway.app.get<Logger>(LOGGER), 'error');
    // Key and account are in memory then, so that the body is being read when the caller goes.
    await post(QUOTES, QUOTE);
    const head = request(
      [
        `POST ${QUOTES} HTTP/1.1`,
        'Host: a',
        `Authorization: ${key.authorization}`,
        'Content-Type: application/json',
        'Content-Length: 100',
      ],
      '{"source-asset":',
    );
    const before = gateway.bus.asked.length;
    for (const hangUp of ['destroy', 'resetAndDestroy'] as const) {
      const socket = connect(gateway.port, '127.0.0.1', () => socket.write(head));
      const [incoming] = (await once(gateway.app.getHttpServer() as Server, 'request')) as [IncomingMessage];
      const gone = new Promise((resolve) => {
        incoming.once('close', resolve);
      });
      socket[hangUp]();
      await gone;
    }
    expect(codeOf(await send('GET', ORDERS))).toBe('200');
    expect(failed).not.toHaveBeenCalled();
    expect(gateway.bus.asked.slice(before).filter(({ pattern }) => pattern === RequestQuote.pattern)).toEqual([]);
    failed.mockRestore();
  });
});

describe('idempotency', () => {
  it('same key, same body: the stored answer again; members in another order are the same body', async () => {
    const headers = { 'idempotency-key': 'k-1' };
    const first = await post(QUOTES, QUOTE, headers);
    const asked = gateway.bus.askedOf(RequestQuote).length;
    const again = await post(
      QUOTES,
      { 'target-asset': 'eth-base/brlv', 'source-amount': '100.00', 'source-asset': 'fiat/brl' },
      headers,
    );
    expect([again.statusCode, again.body, again.headers['idempotency-replayed']]).toEqual([
      first.statusCode,
      first.body,
      'true',
    ]);
    expect(first.headers['idempotency-replayed']).toBeUndefined();
    expect(gateway.bus.askedOf(RequestQuote)).toHaveLength(asked);
    expect(again.headers['x-request-id']).not.toBe(first.headers['x-request-id']);
    expect(codeOf(await post(QUOTES, { ...QUOTE, 'source-amount': '100' }, headers))).toBe(
      '422 idempotency-key-reused',
    );
  });

  it('the scope is caller, account, operation and key', async () => {
    const headers = { 'idempotency-key': 'k-1' };
    expect(
      (await post(`/api/v1/accounts/${PARTNER}/quotes`, QUOTE, headers)).headers['idempotency-replayed'],
    ).toBeUndefined();
    expect((await post('/api/v0/quotes', QUOTE, headers)).headers['idempotency-replayed']).toBe('true');
    expect(
      (await post('/api/v0/quotes', QUOTE, { ...headers, authorization: `Bearer ${KEY.child}` })).headers[
        'idempotency-replayed'
      ],
    ).toBeUndefined();
    expect(codeOf(await post(ORDERS, { 'quote-id': SAMPLE.quoteId }, headers))).toBe('200');
  });

  it('"still running: 409"; a command carries the same command id however late its retry', async () => {
    const gate: { open: () => void } = { open: () => undefined };
    const opened = new Promise<void>((resolve) => {
      gate.open = resolve;
    });
    const began: { done: () => void } = { done: () => undefined };
    const running = new Promise<void>((resolve) => {
      began.done = resolve;
    });
    gateway.bus.on(PlaceOrder, async (payload) => {
      began.done();
      await opened;
      return orderRecord(payload);
    });
    const headers = { 'idempotency-key': 'k-2' };
    const body = { 'quote-id': SAMPLE.quoteId };
    const first = post(ORDERS, body, headers);
    await running;
    const twin = await post(ORDERS, body, headers);
    expect([codeOf(twin), twin.headers['retry-after']]).toEqual(['409 idempotency-in-progress', '1']);
    expect(codeOf(await post(ORDERS, { 'quote-id': SAMPLE.orderId }, headers))).toBe('422 idempotency-key-reused');
    gate.open();
    await first;
    gateway.clock.offset = 25 * 3_600_000;
    expect((await post(ORDERS, body, headers)).headers['idempotency-replayed']).toBeUndefined();
    gateway.clock.offset = 0;
    const ids = gateway.bus
      .askedOf(PlaceOrder)
      .slice(-2)
      .map(({ context }) => context.commandId);
    expect(ids[0]).toBe(ids[1]);
  });

  it('"only 2xx and 422 are stored": after any other answer the key is free', async () => {
    const headers = { 'idempotency-key': 'k-3' };
    const answers = [
      () => {
        throw new Unavailable('rail-unavailable');
      },
      () => {
        throw new Error('x');
      },
      () => {
        throw refusal('account-not-active', 'no');
      },
      () => {
        throw refusal('quote-expired', 'late');
      },
    ];
    const codes: string[] = [];
    for (const answer of answers) {
      gateway.bus.on(PlaceOrder, answer);
      codes.push(codeOf(await post(ORDERS, { 'quote-id': SAMPLE.quoteId }, headers)));
    }
    gateway.bus.on(PlaceOrder, (payload) => orderRecord(payload));
    expect(codes).toEqual([
      '503 rail-unavailable',
      '500 internal-error',
      '403 account-not-active',
      '422 quote-expired',
    ]);
    const replay = await post(ORDERS, { 'quote-id': SAMPLE.quoteId }, headers);
    expect([codeOf(replay), replay.headers['idempotency-replayed']]).toEqual(['422 quote-expired', 'true']);
  });

  it('64 at once with one key: one is carried out', async () => {
    const before = gateway.bus.askedOf(PlaceOrder).length;
    const answers = await Promise.all(
      Array.from({ length: 64 }, () => post(ORDERS, { 'quote-id': SAMPLE.quoteId }, { 'idempotency-key': 'k-4' })),
    );
    expect(gateway.bus.askedOf(PlaceOrder).length - before).toBe(1);
    expect(
      new Set(answers.map((answer) => codeOf(answer)).filter((code) => code !== '409 idempotency-in-progress')),
    ).toEqual(new Set(['200']));
  });

  it('without a key every command has its own id', async () => {
    await Promise.all([post(QUOTES, QUOTE), post(QUOTES, QUOTE)]);
    const [a, b] = gateway.bus.askedOf(RequestQuote).slice(-2);
    expect(a?.context.commandId).not.toBe(b?.context.commandId);
  });

  it('an answer with a secret is kept sealed', async () => {
    const finish = jest.spyOn(gateway.engines.edgeState, 'finish');
    const url = `/api/v1/accounts/${CHILD}/webhook-endpoints`;
    const first = await post(url, { url: 'https://a.example' }, { 'idempotency-key': 'k-5' });
    const again = await post(url, { url: 'https://a.example' }, { 'idempotency-key': 'k-5' });
    expect(finish.mock.calls.map(([, , { body }]) => body)).toEqual([expect.stringMatching(/^sealed:v1:/)]);
    finish.mockRestore();
    expect([again.statusCode, again.body]).toEqual([200, first.body]);
    expect(gateway.bus.askedOf(CreateWebhookEndpoint)).toHaveLength(1);
  });
});

describe('signed requests', () => {
  let nonces = 0;
  const now = () => Math.floor(Date.now() / 1000) + (gateway?.clock.offset ?? 0) / 1000;
  const hashOf = (body: string) => createHash('sha256').update(body).digest('hex');
  const tokenFor = (claims: Json, signedBy = jwtKeys.privateKey, alg = 'ES256') => {
    nonces += 1;
    const all = { sub: JWT_KEY_ID, nonce: `nonce-${nonces}`, iat: now(), exp: now() + 30, ...claims };
    return new SignJWT(Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined)))
      .setProtectedHeader({ alg })
      .sign(signedBy);
  };
  const body = JSON.stringify(QUOTE);
  const right = { uri: QUOTES, method: 'POST', 'body-hash': hashOf(body) };
  const signed = (token: string, url = QUOTES, payload: string | null = body) =>
    send(payload === null ? 'GET' : 'POST', url, payload ?? undefined, {
      authorization: `Bearer ${token}`,
      'x-api-key': JWT_KEY_ID,
    });

  it.each<[string, Json, string]>([
    ['right', {}, '200'],
    ['bodyHash in the other spelling', { 'body-hash': undefined, bodyHash: hashOf(body) }, '200'],
    ['no method', { method: undefined }, '200'],
    ['another body', { 'body-hash': hashOf('{}') }, '401 body-hash-mismatch'],
    ['no body hash', { 'body-hash': undefined }, '401 body-hash-mismatch'],
    ['upper-case hash', { 'body-hash': hashOf(body).toUpperCase() }, '401 body-hash-mismatch'],
    ['another uri', { uri: ORDERS }, '401 uri-mismatch'],
    ['another method', { method: 'GET' }, '401 method-mismatch'],
    ['too long a life', { exp: now() + 51, iat: now() }, '401 token-lifetime-too-long'],
    ['expired', { iat: now() - 60, exp: now() - 20 }, '401 token-expired'],
    ['from the future', { iat: now() + 60, exp: now() + 90 }, '401 token-expired'],
    ['another subject', { sub: 'x' }, '401 invalid-signature'],
  ])('%s', async (_, claims, code) => expect(codeOf(await signed(await tokenFor({ ...right, ...claims })))).toBe(code));

  it('refuses other keys, other algorithms, none, and what is no token', async () => {
    const stranger = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
    expect(codeOf(await signed(await tokenFor(right, stranger)))).toBe('401 invalid-signature');
    const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
    expect(codeOf(await signed(await tokenFor(right, rsa, 'RS256')))).toBe('401 invalid-signature');
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const claims = part({ ...right, sub: JWT_KEY_ID, nonce: 'none', iat: now(), exp: now() + 30 });
    expect(codeOf(await signed(`${part({ alg: 'none' })}.${claims}.`))).toBe('401 invalid-signature');
    const pem = Buffer.from(jwtKeys.publicKey.export({ type: 'spki', format: 'pem' }));
    const hmac = await new SignJWT({ ...right, sub: JWT_KEY_ID, nonce: 'h', iat: now(), exp: now() + 30 })
      .setProtectedHeader({ alg: 'HS256' })
      .sign(pem);
    expect(codeOf(await signed(hmac))).toBe('401 invalid-signature');
    for (const junk of ['a.b.c', 'junk', '..', `${part({ alg: 'ES256' })}.${claims}.AAAA`])
      expect(codeOf(await signed(junk))).toBe('401 invalid-signature');
    expect(
      codeOf(
        await send('POST', QUOTES, body, {
          authorization: `Bearer ${await tokenFor(right)}`,
          'x-api-key': `ak_test_${'a'.repeat(24)}`,
        }),
      ),
    ).toBe('401 invalid-signature');
  });

  it('remembers a nonce, also when sixty-four come at once; a request that was not right does not use it up', async () => {
    const wrong = await tokenFor({ ...right, nonce: 'mine', 'body-hash': hashOf('{}') });
    expect(codeOf(await signed(wrong))).toBe('401 body-hash-mismatch');
    const token = await tokenFor({ ...right, nonce: 'mine' });
    const codes = (await Promise.all(Array.from({ length: 64 }, () => signed(token))))
      .map((answer) => codeOf(answer))
      .sort();
    expect([codes[0], ...new Set(codes.slice(1))]).toEqual(['200', '401 nonce-reused']);
    expect(codeOf(await signed(await tokenFor({ ...right, nonce: 'mine' })))).toBe('401 nonce-reused');
  });

  it('reads with the query in the uri, the hash of nothing or none', async () => {
    const url = `${ORDERS}?limit=1`;
    expect(codeOf(await signed(await tokenFor({ uri: url }), url, null))).toBe('200');
    expect(codeOf(await signed(await tokenFor({ uri: url, 'body-hash': hashOf('') }), url, null))).toBe('200');
    expect(codeOf(await signed(await tokenFor({ uri: ORDERS }), url, null))).toBe('401 uri-mismatch');
    for (const sent of ['/api/v1/accounts/%ff', `/api/v1/accounts/${STRANGER.toUpperCase()}`])
      expect(codeOf(await signed(await tokenFor({ uri: sent }), sent, null))).toBe('403 account-access-denied');
    const early = await signed(await tokenFor({ uri: url, nbf: now() + 60 }), url, null);
    expect([codeOf(early), errorOf(early).message]).toEqual(['401 token-expired', expect.stringContaining('nbf')]);
  });

  it('learns of a revocation at once', async () => {
    const revoked = gateway.fixtures.keys.get(JWT_KEY_ID);
    if (!revoked) throw new Error('the key of this test is missing');
    gateway.fixtures.keys.set(JWT_KEY_ID, { ...revoked, revoked: true });
    expect(codeOf(await signed(await tokenFor(right)))).toBe('200');
    const event = new ApiKeyRevoked({ keyId: JWT_KEY_ID, accountId: PARTNER, reason: 'rotated' });
    await gateway.engines.store.append(
      `apiKey-${JWT_KEY_ID}`,
      NO_STREAM,
      anEvent(event.data).map((one) => ({ ...one, type: event.type })),
    );
    await eventually(async () => expect(codeOf(await signed(await tokenFor(right)))).toBe('401 revoked-api-key'));
    gateway.fixtures.keys.set(JWT_KEY_ID, revoked);
    gateway.clock.offset = 6_000;
    expect(codeOf(await signed(await tokenFor(right)))).toBe('200');
    gateway.clock.offset = 0;
  });
});
describe('headers', () => {
  it('rate: on every answer to a key, 429 with Retry-After when it is spent', async () => {
    const slow = { authorization: `Bearer ${KEY.slow}` };
    const answers = [
      await send('GET', '/api/v0/orders', undefined, slow),
      await send('GET', '/api/v0/orders/x', undefined, slow),
      await send('GET', '/api/v0/orders', undefined, slow),
      await send('GET', '/api/v0/orders', undefined, slow),
    ];
    expect(answers.map(codeOf)).toEqual(['200', '404 order-not-found', '200', '429 rate-limited']);
    expect(answers.map(({ headers }) => `${headers['ratelimit-limit']}/${headers['ratelimit-remaining']}`)).toEqual([
      '3/2',
      '3/1',
      '3/0',
      '3/0',
    ]);
    expect([answers[3]?.headers['retry-after'], Number(answers[3]?.headers['ratelimit-reset'])]).toEqual(['1', 3]);
    expect((await send('GET', '/api/v0/orders')).headers).toMatchObject({ 'ratelimit-limit': '10000' });
  });

  it('rate: on errors too, whatever step of the edge they come from, once the key is known', async () => {
    const answers = [
      await send('POST', QUOTES, '{'),
      await send('POST', QUOTES, '{}', { 'content-type': 'text/plain' }),
      await send('POST', QUOTES, `"${'x'.repeat(65_536)}"`),
      await post(QUOTES, {}),
      await post(QUOTES, QUOTE, { authorization: `Bearer ${KEY.readOnly}` }),
      await post(`/api/v1/accounts/${STRANGER}/quotes`, QUOTE),
      await post(QUOTES, QUOTE, { 'idempotency-key': '' }),
    ];
    expect(answers.map(codeOf)).toEqual([
      '400 malformed-json',
      '415 unsupported-media-type',
      '413 body-too-large',
      '400 missing-field',
      '403 api-key-read-only',
      '403 account-access-denied',
      '400 invalid-format',
    ]);
    for (const { headers } of answers)
      expect(Object.keys(headers)).toEqual(
        expect.arrayContaining(['ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset']),
      );
  });

  it('401 says which credentials are accepted, and what is wrong with those that were sent', async () => {
    const ask = async (url: string, authorization: string) => {
      const answer = await send('GET', url, undefined, { authorization });
      return [codeOf(answer), answer.headers['www-authenticate'], errorOf(answer).message];
    };
    expect(await ask(ORDERS, 'none')).toEqual([
      '401 missing-credentials',
      'Bearer',
      expect.stringContaining('X-API-Key'),
    ]);
    expect(await ask(ORDERS, `Bearer ${KEY.revoked}`)).toEqual([
      '401 revoked-api-key',
      'Bearer',
      'The API key was revoked.',
    ]);
    expect(await ask('/staff/accounts', `Bearer ${KEY.partner}`)).toEqual([
      '401 missing-credentials',
      'Staff',
      expect.not.stringContaining('API'),
    ]);
    expect(await ask('/staff/accounts', 'Staff unknown')).toEqual([
      '401 invalid-staff-token',
      'Staff',
      expect.not.stringContaining('API'),
    ]);
    const future = await new SignJWT({
      sub: JWT_KEY_ID,
      nonce: 'future',
      uri: ORDERS,
      iat: Math.floor(Date.now() / 1000) + 60,
      exp: Math.floor(Date.now() / 1000) + 90,
    })
      .setProtectedHeader({ alg: 'ES256' })
      .sign(jwtKeys.privateKey);
    const early = await send('GET', ORDERS, undefined, { authorization: `Bearer ${future}`, 'x-api-key': JWT_KEY_ID });
    expect([codeOf(early), errorOf(early).message]).toEqual([
      '401 token-expired',
      expect.stringContaining('lies in the future'),
    ]);
  });

  it('v0: Deprecation, Sunset and the successor, on errors too; v1: none of them', async () => {
    const list = await send('GET', '/api/v0/assets/brl/balance');
    expect(list.headers).toMatchObject({
      deprecation: '@1735689600',
      sunset: 'Fri, 31 Dec 2027 00:00:00 GMT',
      link: `</api/v1/accounts/${PARTNER}/assets/brl/balance>; rel="successor-version"`,
    });
    const refused = await gateway.app.inject({ url: `/api/v0/orders/${SAMPLE.orderId}` });
    expect(refused.headers).toMatchObject({
      deprecation: '@1735689600',
      link: '</api/v1/accounts>; rel="successor-version"',
    });
    expect((await send('GET', '/api/v0/nothing')).headers['deprecation']).toBe('@1735689600');
    expect((await send('GET', ORDERS)).headers).not.toHaveProperty('deprecation');
  });

  it('answers are not cached, and every one has its request id', async () => {
    for (const url of [ORDERS, '/nothing', '/healthz', '/api/v1/errors']) {
      const { headers } = await send('GET', url);
      expect(headers).toMatchObject({
        'cache-control': 'no-store',
        'x-content-type-options': 'nosniff',
        'x-request-id': expect.stringMatching(/^[0-9a-f]{8}-[0-9a-f]{4}-7/) as string,
      });
    }
  });
});

describe('when a service is away', () => {
  it('is not ready, lets no one in and says when to come back', async () => {
    expect((await gateway.app.inject({ url: '/readyz' })).json()).toEqual({ status: 'ready' });
    const account = '0190f8a0-0000-7000-8000-00000000abcd';
    gateway.bus.on(GetAccountParent, () => {
      throw new Unavailable('service-unavailable');
    });
    expect(codeOf(await send('GET', `/api/v1/accounts/${account}/orders`))).toBe('503 service-unavailable');
    expect((await gateway.app.inject({ url: '/healthz' })).statusCode).toBe(200);
  });
});
