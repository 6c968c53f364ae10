import 'reflect-metadata';
import { NO_STREAM } from '@ponte/event-sourcing';
import { derivedId } from '@ponte/kernel';
import { eventually, temporaryFolder } from '@ponte/testing';
import { CHILD, order, PARTNER } from '../testing/fixtures';
import { Receiver } from '../testing/receiver';
import { WebhooksUnderTest } from '../testing/webhooks-under-test';
import { MAX_IN_FLIGHT } from './endpoint-limits/endpoint-concurrency-limiter';
import type * as Undici from '../outgoing-http/adapters/undici.outgoing-http.adapter';
import type { UndiciOptions } from '../outgoing-http/adapters/undici.outgoing-http.adapter';

/** The largest number per account. The events of an order go to the account and to its parent. */
const PER_ACCOUNT = 10;
/** Accounts with one endpoint each, which makes 50 in all. */
const OTHERS = 30;
const ORDERS = 5;

/** More orders than the tar pit has slots: events of an order wait for the first, and further orders for a slot. */
const ROUNDS = 8;

/** Requests never time out, so what waits for the tar pit waits forever. Otherwise it would only wait for 5 s. */
jest.mock('../outgoing-http/adapters/undici.outgoing-http.adapter', () => {
  const actual = jest.requireActual<typeof Undici>('../outgoing-http/adapters/undici.outgoing-http.adapter');
  return { ...actual, undiciHttp: (options: UndiciOptions) => actual.undiciHttp({ ...options, totalMs: 3_600_000 }) };
});

jest.setTimeout(240_000);

describe('one endpoint among 50 that accepts requests and never responds', () => {
  const folder = temporaryFolder();
  let receiver: Receiver;
  let webhooks: WebhooksUnderTest;
  const account = (at: number) => derivedId('account', 'other', String(at));
  /** The order of another account, whose parent has no endpoint. */
  const orderOf = (id: string, accountId: string) => {
    const text = JSON.stringify(order(id))
      .replaceAll(CHILD, accountId)
      .replaceAll(PARTNER, derivedId('account', 'no endpoint'));
    const plain = JSON.parse(text) as { data: object }[];
    return order(id).map((fact, index) => Object.assign(fact, { data: plain[index]?.data })) as ReturnType<
      typeof order
    >;
  };
  /** Places orders of all accounts, and waits until every endpoint but the tar pit has all their events. */
  const round = async (name: string): Promise<void> => {
    const before = receiver.heard.length;
    const ids = Array.from({ length: ORDERS }, (_, at) => derivedId('order', name, String(at)));
    await Promise.all([
      ...ids.map((id) => webhooks.append(`order-${id}`, NO_STREAM, ...order(id))),
      ...Array.from({ length: OTHERS }, (_, at) => {
        const id = derivedId('order', name, 'other', String(at));
        return webhooks.append(`order-${id}`, NO_STREAM, ...orderOf(id, account(at)));
      }),
    ]);
    await eventually(() => {
      const heard = receiver.heard.slice(before).filter(({ path, status }) => path !== '/tar-pit' && status === 200);
      expect(new Set(heard.map(({ path, id }) => `${path} ${id}`)).size).toBe(
        (2 * PER_ACCOUNT - 1) * 3 * ORDERS + OTHERS * 3,
      );
    }, 60_000);
  };

  beforeAll(async () => {
    receiver = await Receiver.listen();
    webhooks = await WebhooksUnderTest.start(folder.path);
    await webhooks.endpoint(receiver, '/tar-pit');
    for (let at = 1; at < PER_ACCOUNT; at += 1) await webhooks.endpoint(receiver, `/child-${at}`);
    for (let at = 0; at < PER_ACCOUNT; at += 1) await webhooks.endpoint(receiver, `/partner-${at}`, PARTNER);
    for (let at = 0; at < OTHERS; at += 1) await webhooks.endpoint(receiver, `/other-${at}`, account(at));
  });
  afterAll(async () => {
    // First, because it ends the requests that the tar pit holds.
    await receiver.close();
    await webhooks.stop();
    folder.remove();
  });

  it('does not hold up the others: they have all events while its first requests are still open', async () => {
    receiver.behaviours.set('/tar-pit', 'hang');
    for (let at = 1; at <= ROUNDS; at += 1) await round(`round ${at}`);
    await eventually(() => expect(receiver.at('/tar-pit')).toHaveLength(MAX_IN_FLIGHT));
    expect(receiver.open.get('/tar-pit')).toEqual({ now: MAX_IN_FLIGHT, most: MAX_IN_FLIGHT });
  });
});
