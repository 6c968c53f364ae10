import 'reflect-metadata';
import { once } from 'node:events';
import type { IncomingMessage, Server } from 'node:http';
import { connect } from 'node:net';
import type { Logger } from 'pino';
import { RequestQuote } from '@ponte/contracts';
import { LOGGER } from '@ponte/nest';
import { KEY } from '../testing/api-keys';
import { codeOf } from '../testing/use-gateway';
import type { Envelope } from './testing/edge-requests';
import { ORDERS, QUOTE, QUOTES, gateway, key, post, send, useTestGateway } from './testing/edge-requests';

useTestGateway();

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

describe('a body whose length another server could read differently', () => {
  const chunked = (version: string, ...codings: string[]) =>
    [`POST ${QUOTES} HTTP/${version}`, 'Host: a', `Authorization: Bearer ${KEY.partner}`]
      .concat('Connection: keep-alive', 'Content-Type: application/json')
      .concat(codings.map((coding) => `Transfer-Encoding: ${coding}`))
      .concat('', `2\r\n{}\r\n0`, '', '')
      .join('\r\n');

  // RFC 9112, sections 6.1 and 7
  it.each([
    ['chunks in HTTP/1.0', chunked('1.0', 'chunked')],
    ['another coding before the chunks', chunked('1.1', 'gzip, chunked')],
    ['another coding in a header of its own', chunked('1.1', 'gzip', 'chunked')],
  ])('is refused, and the connection is closed: %s', async (_, bytes) => {
    const [head = '', body = ''] = (await exchange(bytes)).split('\r\n\r\n');
    expect(head).toMatch(/^HTTP\/1.1 400 /);
    expect(head).toMatch(/^connection: close$/im);
    expect((JSON.parse(body) as Envelope).error.code).toBe('malformed-request');
  });
});

describe('the gateway responds in our error format', () => {
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
    ['the same on a missing route', request(['QUERY /nothing HTTP/1.1', 'Host: a']), 404, 'route-not-found'],
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
  ])('to %s', async (_, bytes, status, code) => {
    const received = await exchange(bytes);
    const [head = '', body = ''] = received.split('\r\n\r\n');
    expect(head.split('\r\n')[0]).toContain(`HTTP/1.1 ${status} `);
    expect(head.toLowerCase()).toContain('x-request-id: ');
    expect((JSON.parse(body) as Envelope).error.code).toBe(code);
  });
});

it('a caller that disconnects in the middle of its body is not logged as an error', async () => {
  const failed = jest.spyOn(gateway.app.get<Logger>(LOGGER), 'error');
  // Load the key and the account first, so that the body is being read when the caller disconnects.
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
  const before = gateway.bus.requests.length;
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
  expect(gateway.bus.requests.slice(before).filter(({ pattern }) => pattern === RequestQuote.pattern)).toEqual([]);
  failed.mockRestore();
});
