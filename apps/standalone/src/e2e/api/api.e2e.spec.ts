import type { Answer, ErrorBody } from '../testing/client';
import type { Customer } from '../testing/customer';
import type { Operation } from './testing/document';
import { SUITE_MS } from '../testing/program';
import { codeOf } from '../testing/client';
import type { ApiClients } from './testing/api-under-test';
import { ApiUnderTest } from './testing/api-under-test';

jest.setTimeout(SUITE_MS);

const ABSENT = '01900000-0000-7000-8000-000000000000';

let api: ApiUnderTest;
let operations: Operation[];
let streams: Operation[];
let child: Customer;
let owned: ApiUnderTest['owned'];
let partnerId: string;
let foreignId: string;
let clients: ApiClients;
beforeAll(async () => {
  api = await ApiUnderTest.start();
  ({ operations, streams, child, owned, partnerId, foreignId, clients } = api);
});
afterAll(() => api.close());

describe('access of each kind of caller to every documented operation', () => {
  const of = (access: Operation['access']) => operations.filter((operation) => operation.access === access);

  it('covers operations of every kind with unique ids', () => {
    expect(of('public').length).toBeGreaterThan(0);
    expect(of('staff').length).toBeGreaterThan(0);
    expect(of('partner').filter(({ onAccount }) => onAccount).length).toBeGreaterThan(10);
    expect(new Set(operations.map(({ id }) => id)).size).toBe(operations.length);
  });

  it('is refused with 401 without credentials unless the document requires none', async () => {
    for (const operation of operations) {
      const answer = await api.call(clients.anonymous, operation, child.accountId);
      expect([operation.id, codeOf(answer)]).toEqual([
        operation.id,
        operation.access === 'public' ? '200' : '401 missing-credentials',
      ]);
    }
  });

  it('to an event stream is refused without partner credentials', async () => {
    expect(streams.map(({ id }) => id)).toEqual(['stream-account-events']);
    for (const operation of streams) {
      expect(codeOf(await api.call(clients.anonymous, operation, child.accountId))).toBe('401 missing-credentials');
      expect((await api.call(clients.operator, operation, child.accountId)).status).toBe(401);
    }
  });

  it("to staff routes is refused with a partner's key, and to partner routes with the staff token", async () => {
    for (const operation of of('staff'))
      expect([operation.id, (await api.call(clients.partner, operation, partnerId)).status]).toEqual([
        operation.id,
        401,
      ]);
    for (const operation of of('partner'))
      expect([operation.id, (await api.call(clients.operator, operation, partnerId)).status]).toEqual([
        operation.id,
        401,
      ]);
  });

  it('is granted to a partner on its account and its child and to the child, with a documented status', async () => {
    for (const operation of of('partner')) {
      if (operation.id === 'delete-webhook-endpoint') continue;
      for (const [client, accountId] of [
        [clients.partner, partnerId],
        [clients.partner, child.accountId],
        [clients.child, child.accountId],
      ] as const) {
        const answer = await api.call(client, operation, accountId);
        expect([operation.id, answer.status, answer.text.slice(0, 200), operation.statuses.has(answer.status)]).toEqual(
          [operation.id, answer.status, answer.text.slice(0, 200), true],
        );
        expect([operation.id, [401, 500, 503].includes(answer.status)]).toEqual([operation.id, false]);
        // A capability may be missing, but access must not be refused.
        expect(['account-access-denied', 'api-key-read-only']).not.toContain(answer.body?.error?.code);
      }
    }
  });

  it('is refused to a foreign partner with the same 403 for existing, absent and invalid ids', async () => {
    const before = await api.atRest();
    const bodies = new Set<string>();
    for (const operation of of('partner').filter(({ onAccount }) => onAccount)) {
      for (const accountId of [child.accountId, partnerId, ABSENT, 'not-an-id', `${child.accountId}%00`]) {
        const answer = await api.call(clients.foreign, operation, accountId);
        expect([operation.id, accountId, codeOf(answer)]).toEqual([
          operation.id,
          accountId,
          '403 account-access-denied',
        ]);
        bodies.add(answer.text);
      }
    }
    expect(bodies.size).toBe(1);
    expect(await api.standing()).toEqual(before);
  });

  it("is refused to a child's key on its parent and to a partner on another partner's account", async () => {
    for (const operation of of('partner').filter(({ onAccount }) => onAccount)) {
      expect([operation.id, codeOf(await api.call(clients.child, operation, partnerId))]).toEqual([
        operation.id,
        '403 account-access-denied',
      ]);
      expect([operation.id, codeOf(await api.call(clients.partner, operation, foreignId))]).toEqual([
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

  it('is read-only with a read-only key', async () => {
    const before = await api.atRest();
    for (const operation of of('partner')) {
      const answer = await api.call(clients.readOnly, operation, child.accountId);
      if (operation.writes) expect([operation.id, codeOf(answer)]).toEqual([operation.id, '403 api-key-read-only']);
      else expect([operation.id, [200, 404].includes(answer.status)]).toEqual([operation.id, true]);
    }
    expect(await api.standing()).toEqual(before);
  });

  it("to another account's resource under the caller's path gives the 404 of an absent one", async () => {
    const nested = of('partner').filter(({ path }) => path.includes('{id}'));
    expect(nested.length).toBeGreaterThan(3);
    for (const operation of nested) {
      for (const [client, accountId] of [
        [clients.foreign, foreignId],
        [clients.partner, partnerId],
      ] as const) {
        const theirs = await api.call(client, operation, accountId);
        expect([operation.id, theirs.status]).toEqual([operation.id, 404]);
        expect([operation.id, (await api.call(client, operation, accountId, ABSENT)).text]).toEqual([
          operation.id,
          theirs.text,
        ]);
        expect([operation.id, codeOf(await api.call(client, operation, accountId, 'not-an-id'))]).toEqual([
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
