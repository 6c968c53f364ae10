import 'reflect-metadata';
import { RequestQuote } from '@ponte/contracts';
import { Unavailable, refusal } from '@ponte/kernel';
import { quoteRecord } from '../testing/records/records';
import { codeOf } from '../testing/use-gateway';
import type { Json } from './testing/edge-requests';
import { ORDERS, QUOTE, QUOTES, errorOf, gateway, post, send, useTestGateway } from './testing/edge-requests';

useTestGateway();

describe('raw bodies and headers that are wrong', () => {
  it.each<[string, string | Buffer, string]>([
    ['half a body', '{"source-asset":', '400 malformed-json'],
    ['not JSON', 'source=1', '400 malformed-json'],
    ['a byte that is not UTF-8', Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x7d]), '400 malformed-json'],
    ['a prototype in half a body', '{"__proto__":{"admin":true}', '400 malformed-json'],
    ['a string that names a prototype', '"__proto__"', '400 invalid-type'],
    ['a field called constructor', '{"constructor":1}', '400 missing-field'],
    ['an empty body', '', '400 missing-field'],
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
      'fields twice',
      `{"source-asset":"fiat/usd",${JSON.stringify({ ...QUOTE, deep: { a: 1 } }).slice(1, -2)},"a":1}}`,
      ['source-asset malformed-json', 'deep.a malformed-json'],
    ],
    ['a poison twice', '{"__proto__":1,"__proto__":2}', ['__proto__ malformed-json']],
  ])('%s is reported with its path', async (_, payload, details) => {
    const answer = await send('POST', QUOTES, payload);
    expect([answer.statusCode, errorOf(answer).details?.map(({ path, code }) => `${path} ${code}`)]).toEqual([
      400,
      details,
    ]);
  });

  it('passes on the excess decimals of a quote, which truncates them, in amounts of up to 80 characters', async () => {
    for (const sent of ['1.0000000000000000019', `0.${'1'.repeat(78)}`, `0.${'0'.repeat(18)}1`, '12.50']) {
      expect(codeOf(await post(QUOTES, { ...QUOTE, 'source-amount': sent }))).toBe('200');
      expect(gateway.bus.requestsOf(RequestQuote).at(-1)?.payload).toMatchObject({ sourceAmount: sent });
    }
    for (const bad of [
      '0.0',
      `0.${'0'.repeat(38)}`,
      `0.${'1'.repeat(79)}`,
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
    ['an Accept without JSON', { accept: 'text/html' }, '406 not-acceptable'],
    ['an Accept that refuses JSON', { accept: 'application/json;q=0, */*' }, '406 not-acceptable'],
    ['an empty Accept', { accept: '' }, '200'],
    ['JSON among others', { accept: 'text/html, application/*;q=0.5' }, '200'],
    ['a charset', { 'content-type': 'application/json; charset=utf-8' }, '200'],
    ['an idempotency key that is not ASCII', { 'idempotency-key': 'chávè' }, '400 invalid-format'],
    ['an empty idempotency key', { 'idempotency-key': '' }, '400 invalid-format'],
    ['a long idempotency key', { 'idempotency-key': 'k'.repeat(256) }, '400 invalid-format'],
  ])('%s', async (_, headers, code) =>
    expect(codeOf(await send('POST', QUOTES, JSON.stringify(QUOTE), headers))).toBe(code),
  );

  it.each<[string, string, Json]>([
    ['another media type', QUOTES, { 'content-type': 'text/plain' }],
    ['a form', QUOTES, { 'content-type': 'multipart/form-data; boundary=b' }],
    ['an encoding', QUOTES, { 'content-encoding': 'gzip' }],
    ['an encoding on a route of staff', '/staff/accounts', { 'content-encoding': 'gzip' }],
  ])('names what the route accepts when it refuses %s', async (_, url, headers) => {
    expect(errorOf(await send('POST', url, '{}', headers))).toEqual({
      type: 'invalid-request',
      code: 'unsupported-media-type',
      message: 'The body must be application/json, without Content-Encoding.',
    });
  });

  it('names what the upload of a file and a read accept when it refuses their body', async () => {
    const messages = [
      await send('POST', '/api/v1/accounts/files', '{}', { 'content-type': 'text/plain' }),
      await send('GET', ORDERS, undefined, { 'content-encoding': 'gzip' }),
    ].map((answer) => errorOf(answer).message);
    expect(messages).toEqual([
      'The body must be application/json or multipart/form-data, without Content-Encoding.',
      'The request must be sent without Content-Encoding.',
    ]);
  });

  it('passes on refusals and unavailability of a service, but no details of a failure', async () => {
    gateway.bus.on(RequestQuote, () => {
      throw refusal('asset-pair-not-supported', 'this pair is not sold', 'target-asset');
    });
    expect(errorOf(await post(QUOTES, QUOTE))).toEqual({
      type: 'validation',
      message: 'This pair is not sold.',
      code: 'asset-pair-not-supported',
      details: [{ path: 'target-asset', code: 'asset-pair-not-supported', message: 'This pair is not sold.' }],
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
