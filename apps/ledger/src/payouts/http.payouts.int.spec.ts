import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Server } from 'node:https';
import { createServer } from 'node:https';
import type { TLSSocket } from 'node:tls';
import { selfSigned } from '@ponte/testing';
import { HttpKeyDirectory } from '../key-directory/http.key-directory.adapter';
import { RailFailed, RailTimedOut } from '../pix-charge/pix-charges.port';
import { HttpIncomingTeds } from '../ted-deposit/http.incoming-teds.adapter';
import { BankClient } from './bank-client.adapter';
import { HttpPayouts } from './http.payouts.adapter';
import type { PayoutOrder } from './payouts.port';

/** A bank that asks for our certificate and for a token, and answers as the test sets. */
const bank = selfSigned();
const us = selfSigned();
const payments = new Map<string, Record<string, unknown>>();
let seen: {
  method: string;
  url: string;
  body: unknown;
  authorization: string | undefined;
  subject: string | undefined;
}[] = [];
let tokens = 0;
let answer: ((request: IncomingMessage, response: ServerResponse, body: unknown) => boolean) | undefined;

const reply = (response: ServerResponse, status: number, body: unknown): true => {
  response
    .writeHead(status, { 'content-type': 'application/json' })
    .end(typeof body === 'string' ? body : JSON.stringify(body));
  return true;
};

async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  const { method = '', url = '', headers } = request;
  if (url === '/oauth/token') {
    const isRight =
      headers.authorization === `Basic ${Buffer.from('ponte:s%3Acret').toString('base64')}` &&
      text === 'grant_type=client_credentials';
    return void (isRight
      ? reply(response, 200, { access_token: `token-${(tokens += 1)}`, expires_in: 60, token_type: 'Bearer' })
      : reply(response, 401, { error: 'invalid_client' }));
  }
  const body: unknown = text === '' ? undefined : JSON.parse(text);
  seen.push({
    method,
    url,
    body,
    authorization: headers.authorization,
    subject: (request.socket as TLSSocket).getPeerCertificate().subject?.CN as string | undefined,
  });
  if (answer?.(request, response, body)) return;
  const [, , id = '', rest] = url.split('/');
  if (url.startsWith('/keys/'))
    return void reply(response, id === 'gone%40x.example' ? 404 : 200, {
      taxId: '529.982.247-25',
      name: 'Ana Duarte',
      bankCode: '12345678',
      branch: '0001',
      account: '9-1',
    });
  if (method === 'PUT' && rest === 'cancellation')
    payments.set(id, { ...payments.get(id), paymentId: id, status: 'REFUSED', refusalReason: 'CANCELLED' });
  else if (method === 'PUT' && !payments.has(id))
    payments.set(id, {
      paymentId: id,
      status: 'COMPLETED',
      endToEndId: 'E1',
      amount: (body as { amount: string }).amount,
    });
  const payment = payments.get(id);
  reply(response, payment ? 200 : 404, payment ?? {});
}

let server: Server;
let client: BankClient;
let payouts: HttpPayouts;
let now = 0;
const clientFor = (more: object = {}): BankClient => {
  const { port } = server.address() as { port: number };
  return new BankClient({
    url: `https://localhost:${port}`,
    tokenUrl: `https://localhost:${port}/oauth/token`,
    clientId: 'ponte',
    clientSecret: 's:cret',
    certificate: us.certificate,
    key: us.key,
    ca: bank.certificate,
    timeoutMs: 1_500,
    now: () => now,
    ...more,
  });
};
beforeAll(async () => {
  server = createServer(
    { key: bank.key, cert: bank.certificate, ca: us.certificate, requestCert: true, rejectUnauthorized: true },
    (request, response) => void handle(request, response),
  );
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
});
beforeEach(() => {
  [seen, tokens, now, answer] = [[], 0, 0, undefined];
  payments.clear();
  client = clientFor();
  payouts = new HttpPayouts(client);
});
afterEach(() => client.close());
afterAll(
  () =>
    new Promise((resolve) => {
      server.close(resolve);
    }),
);

const ID = 'a'.repeat(32);
const ORDER: PayoutOrder = {
  paymentId: ID,
  amount: '10.00',
  method: 'pix',
  pixKey: { kind: 'email', value: 'ana@x.example' },
  payee: {
    taxId: '52998224725',
    legalName: 'Ana Duarte',
    bankCode: '12345678',
    branchCode: '0001',
    accountNumber: '9-1',
  },
};

describe('the HTTP adapter of a bank that pays out', () => {
  it('sends the documented request with our certificate and a token', async () => {
    expect(await payouts.send(ORDER)).toEqual({
      paymentId: ID,
      status: 'completed',
      refusal: null,
      endToEndId: 'E1',
      returns: [],
    });
    expect(seen).toEqual([
      {
        method: 'PUT',
        url: `/payments/${ID}`,
        authorization: 'Bearer token-1',
        subject: 'localhost',
        body: {
          method: 'PIX',
          amount: '10.00',
          currency: 'BRL',
          pixKey: 'ana@x.example',
          creditor: { name: 'Ana Duarte', taxId: '52998224725', bankCode: '12345678', branch: '0001', account: '9-1' },
        },
      },
    ]);
    await payouts.send({ ...ORDER, paymentId: 'b'.repeat(32), method: 'ted', pixKey: null });
    expect(seen[1]?.body).not.toHaveProperty('pixKey');
  });

  it('uses a token until shortly before its end, and another when the bank forgot it', async () => {
    await Promise.all([payouts.get(ID), payouts.get(ID)]);
    await payouts.get(ID);
    expect(tokens).toBe(1);
    now = 31_000;
    await payouts.get(ID);
    expect(tokens).toBe(2);
    answer = (request, response) => request.headers.authorization === 'Bearer token-2' && reply(response, 401, {});
    expect(await payouts.get(ID)).toBeUndefined();
    expect(tokens).toBe(3);
  });

  it.each([
    ['no answer in time', () => true],
    ['a 500', (response: ServerResponse) => reply(response, 500, {})],
    ['a 408', (response: ServerResponse) => reply(response, 408, {})],
    ['no JSON', (response: ServerResponse) => reply(response, 200, '<html>')],
    [
      'a status that is not known',
      (response: ServerResponse) => reply(response, 200, { paymentId: ID, status: 'DONE' }),
    ],
    [
      'another payment',
      (response: ServerResponse) =>
        reply(response, 200, { paymentId: 'x', status: 'COMPLETED', endToEndId: 'E1', amount: '10.00' }),
    ],
    [
      'another amount',
      (response: ServerResponse) =>
        reply(response, 200, { paymentId: ID, status: 'COMPLETED', endToEndId: 'E1', amount: '10.01' }),
    ],
    [
      'a cut connection',
      (response: ServerResponse) => {
        response.destroy();
        return true;
      },
    ],
  ])('takes %s to mean that the outcome is unknown', async (_case, answering) => {
    answer = (_request, response) => answering(response);
    await expect(payouts.send(ORDER)).rejects.toBeInstanceOf(RailTimedOut);
  });

  it('takes a 4xx, a refused connection and a missing token to mean that nothing was done now', async () => {
    answer = (_request, response) => reply(response, 400, {});
    await expect(payouts.send(ORDER)).rejects.toBeInstanceOf(RailFailed);
    answer = (_request, response) => reply(response, 409, {});
    await expect(payouts.send(ORDER)).rejects.toBeInstanceOf(RailFailed);
    for (const more of [{ url: 'https://localhost:1' }, { clientSecret: 'wrong' }]) {
      const other = clientFor(more);
      await expect(new HttpPayouts(other).send(ORDER)).rejects.toBeInstanceOf(RailFailed);
      await other.close();
    }
  });

  it('is refused by a bank that does not know our certificate, and refuses one that is not ours', async () => {
    const stranger = selfSigned();
    for (const more of [{ certificate: stranger.certificate, key: stranger.key }, { ca: stranger.certificate }]) {
      const other = clientFor(more);
      await expect(new HttpPayouts(other).get(ID)).rejects.toBeInstanceOf(RailFailed);
      await other.close();
    }
    expect(seen).toEqual([]);
  });

  it('reads refusals, and a reason that is not known is a refusal all the same', async () => {
    for (const [reason, refusal] of [
      ['PAYEE_MISMATCH', 'payee-mismatch'],
      ['PAYEE_ACCOUNT_CLOSED', 'payee-account-closed'],
      ['FULL_MOON', 'bank-refused'],
    ]) {
      answer = (_request, response) =>
        reply(response, 422, { paymentId: ID, status: 'REFUSED', refusalReason: reason });
      expect(await payouts.send(ORDER)).toMatchObject({ status: 'refused', refusal });
    }
  });

  it('cancels, and reads returns', async () => {
    expect(await payouts.cancel(ID)).toMatchObject({ status: 'refused', refusal: 'cancelled' });
    answer = (_request, response) =>
      reply(response, 200, {
        paymentId: ID,
        status: 'COMPLETED',
        endToEndId: 'E1',
        amount: '10.00',
        returns: [{ returnId: 'D1', amount: '4.00', returnedAt: '2027-03-01T12:00:00-03:00' }],
      });
    expect(await payouts.get(ID)).toMatchObject({
      returns: [{ returnId: 'D1', amount: '4.00', returnedAt: '2027-03-01T15:00:00.000Z' }],
    });
    answer = (_request, response) => reply(response, 200, { paymentIds: [ID], lastPage: true });
    expect(
      await payouts.listReturned({ from: '2027-03-01T00:00:00.000Z', to: '2027-03-02T00:00:00.000Z', page: 0 }),
    ).toEqual({ ids: [ID], lastPage: true });
    expect(seen.at(-1)?.url).toBe(
      '/payments?returnedFrom=2027-03-01T00%3A00%3A00.000Z&returnedTo=2027-03-02T00%3A00%3A00.000Z&page=0',
    );
    answer = (_request, response) => reply(response, 200, { paymentIds: 'many' });
    await expect(payouts.listReturned({ from: '', to: '', page: 0 })).rejects.toBeInstanceOf(RailTimedOut);
  });

  it('looks keys up', async () => {
    const directory = new HttpKeyDirectory(client);
    expect(await directory.lookUp({ kind: 'email', value: 'ana@x.example' })).toEqual(ORDER.payee);
    expect(await directory.lookUp({ kind: 'email', value: 'gone@x.example' })).toBeUndefined();
    answer = (_request, response) => reply(response, 200, { name: 'Ana' });
    await expect(directory.lookUp({ kind: 'email', value: 'ana@x.example' })).rejects.toBeInstanceOf(RailTimedOut);
  });
});

describe('the HTTP adapter of incoming TEDs', () => {
  it('reads, lists and sends back', async () => {
    const teds = new HttpIncomingTeds(client);
    const wire = {
      tedId: 'STR1',
      identifier: 'ABC',
      amount: '50.00',
      settledAt: '2027-03-01T12:00:00-03:00',
      payer: { taxId: '52998224725', name: 'Ana', bankCode: '00000000', branch: '1584', account: '1-2' },
    };
    answer = (_request, response) => reply(response, 200, wire);
    expect(await teds.get('STR1')).toMatchObject({
      tedId: 'STR1',
      identifier: 'ABC',
      amount: '50.00',
      settledAt: '2027-03-01T15:00:00.000Z',
      payer: { taxId: '52998224725', legalName: 'Ana' },
    });
    answer = (_request, response) => reply(response, 200, { tedIds: ['STR1'], lastPage: true });
    expect(await teds.list({ from: 'a', to: 'b', page: 1 })).toEqual({ ids: ['STR1'], lastPage: true });
    answer = (_request, response) => reply(response, 200, { returnId: 'r1', status: 'RETURNED' });
    expect(await teds.sendBack('STR1', 'r1', '50.00')).toEqual({ returnId: 'r1', status: 'returned' });
    expect(await teds.getSentBack('STR1', 'r1')).toEqual({ returnId: 'r1', status: 'returned' });
    expect(seen.map(({ method, url }) => `${method} ${url}`)).toEqual([
      'GET /teds/STR1',
      'GET /teds?from=a&to=b&page=1',
      'PUT /teds/STR1/returns/r1',
      'GET /teds/STR1/returns/r1',
    ]);
    answer = (_request, response) => reply(response, 404, {});
    expect([await teds.get('STR2'), await teds.getSentBack('STR1', 'r2')]).toEqual([undefined, undefined]);
    await expect(teds.sendBack('STR1', 'r2', '50.00')).rejects.toBeInstanceOf(RailFailed);
    answer = (_request, response) => reply(response, 200, { ...wire, amount: 50 });
    await expect(teds.get('STR1')).rejects.toBeInstanceOf(RailTimedOut);
    await expect(teds.sendBack('STR1', 'r1', '50.00')).rejects.toBeInstanceOf(RailTimedOut);
  });
});
