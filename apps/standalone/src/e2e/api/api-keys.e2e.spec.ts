import { Client } from '../testing/client';
import type { Customer } from '../testing/customer';
import type { Running } from '../testing/program';
import { SUITE_MS } from '../testing/program';
import { SigningKey } from './testing/signing-key';
import { until } from '../testing/waiting';
import { codeOf } from '../testing/client';
import type { ApiClients } from './testing/api-under-test';
import { ApiUnderTest } from './testing/api-under-test';

jest.setTimeout(SUITE_MS);

let api: ApiUnderTest;
let running: Running;
let child: Customer;
let partnerId: string;
let clients: ApiClients;
beforeAll(async () => {
  api = await ApiUnderTest.start();
  ({ running, child, partnerId, clients } = api);
});
afterAll(() => api.close());

describe('a partner that signs its requests itself', () => {
  it('can use each token once and only with the body that it signed', async () => {
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

  it('accepts a v0 quote of a sub-account or of its parent on that sub-account only', async () => {
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

  it('has the rate limits of its key, independently of other keys of the account', async () => {
    const limits = { 'writes-per-second': 1, 'write-burst': 1, 'reads-per-second': 1, 'read-burst': 2 };
    const { 'api-key': made } = await clients.operator.post<{ 'api-key': { secret: string } }>(
      `/staff/accounts/${partnerId}/api-keys`,
      { name: 'slow', bearer: true, 'rate-limits': limits },
    );
    expect(made).toMatchObject({ 'rate-limits': limits });
    const slow = Client.bearer(running.sandbox['base-url'], made.secret);
    // Sent concurrently, so that fewer tokens are refilled in the meantime than calls are made.
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
