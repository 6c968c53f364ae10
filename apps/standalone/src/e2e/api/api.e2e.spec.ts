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
      const answer = await api.call(clients.anonymous, operation, child.accountId);
      expect([operation.id, codeOf(answer)]).toEqual([
        operation.id,
        operation.access === 'public' ? '200' : '401 missing-credentials',
      ]);
    }
  });

  it('an event stream opens neither without credentials nor for an account of another partner', async () => {
    expect(streams.map(({ id }) => id)).toEqual(['stream-account-events']);
    for (const operation of streams) {
      expect(codeOf(await api.call(clients.anonymous, operation, child.accountId))).toBe('401 missing-credentials');
      expect((await api.call(clients.operator, operation, child.accountId)).status).toBe(401);
    }
  });

  it("a partner's key opens no staff route, nor the staff token a partner's", async () => {
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

  it('the own key on its own account and on a child, and the child with its own: let in, with an answer that the document knows', async () => {
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
        // A capability may be lacking; access is not.
        expect(['account-access-denied', 'api-key-read-only']).not.toContain(answer.body?.error?.code);
      }
    }
  });

  it("a foreign partner's key: 403, the same for an account that is there, one that is not and what is no id; nothing changes", async () => {
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

  it("a child's key does not reach its parent, nor a partner the accounts of another", async () => {
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

  it('a read-only key reads and does not write', async () => {
    const before = await api.atRest();
    for (const operation of of('partner')) {
      const answer = await api.call(clients.readOnly, operation, child.accountId);
      if (operation.writes) expect([operation.id, codeOf(answer)]).toEqual([operation.id, '403 api-key-read-only']);
      else expect([operation.id, [200, 404].includes(answer.status)]).toEqual([operation.id, true]);
    }
    expect(await api.standing()).toEqual(before);
  });

  it("F2: what belongs to another account is not there, under one's own path", async () => {
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
