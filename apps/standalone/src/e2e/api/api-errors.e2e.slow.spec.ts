import type { ErrorBody } from '../testing/client';
import { complaintsIn } from '../testing/complaints';
import type { Customer } from '../testing/customer';
import type { Operation } from './testing/document';
import { filled } from './testing/document';
import type { Running } from '../testing/program';
import { SUITE_MS } from '../testing/program';
import { sendRaw } from './testing/raw-http';
import type { ApiClients } from './testing/api-under-test';
import { ApiUnderTest } from './testing/api-under-test';

jest.setTimeout(SUITE_MS);

let api: ApiUnderTest;
let running: Running;
let operations: Operation[];
let child: Customer;
let clients: ApiClients;
let codes: ReadonlySet<string>;
beforeAll(async () => {
  api = await ApiUnderTest.start();
  ({ running, operations, child, clients, codes } = api);
});
afterAll(() => api.close());

describe('an error has the documented form and no stack trace for', () => {
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

  it('invalid bodies of every operation with a body', async () => {
    for (const operation of operations.filter(({ writes, method }) => writes && method !== 'DELETE')) {
      const client = operation.access === 'staff' ? clients.operator : clients.partner;
      const path = filled(operation, { 'account-id': child.accountId, asset: 'brl', id: api.ownedId(operation) });
      for (const [what, body, headers] of BODIES) {
        expectEnvelope(`${what} at ${operation.id}`, await client.send(operation.method, path, body, headers));
      }
    }
  });

  it('invalid queries and paths of every operation', async () => {
    const query = '?limit=-1&cursor=%00&state=%F0%9F%92%A9&created-from=yesterday&status[]=x&__proto__=1&limit=2';
    for (const operation of operations) {
      const client = operation.access === 'staff' ? clients.operator : clients.partner;
      const parameters = { 'account-id': child.accountId, asset: 'brl', id: api.ownedId(operation) };
      const garbled = await client.send(
        operation.method,
        `${filled(operation, parameters)}${query}`,
        operation.writes ? '{"no":1}' : undefined,
      );
      if (garbled.status >= 400) expectEnvelope(`query at ${operation.id}`, garbled);
      for (const name of Object.keys(parameters).filter((one) => operation.path.includes(`{${one}}`))) {
        // A client resolves `..` before sending; for withdrawals the result is the path of an existing operation.
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

  it('a body that is too large, which is read to its end so that the response passes load balancers, unless far too large', async () => {
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

  it('malformed HTTP requests', async () => {
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
    expect(complaintsIn(running.log)).toEqual([]);
  });
});
