import type { WebhookEndpointPinged } from '@ponte/contracts';
import type { Recorded } from '@ponte/event-sourcing';
import { addSeconds } from '@ponte/kernel';
import type { Publication } from '../publication/publication.domain';
import { DeliveryScheduler } from './delivery-scheduler';

const NOW = '2026-03-02T12:00:00.000Z';
const DAY = 86_400;
const ago = (days: number): string => addSeconds(NOW, -days * DAY);
const ENDPOINT = { endpointId: 'e', accountId: 'a', status: 'enabled', eventTypes: null, faults: null };

/** A reader that was rewound, or whose database was lost: no delivery is known. */
function rewound() {
  const sent: string[] = [];
  const endpoint = { ...ENDPOINT, createdAt: ago(300) };
  const scheduler = new DeliveryScheduler(
    { asRead: async () => new Map([['e', endpoint]]), find: async () => endpoint } as never,
    {
      now: () => NOW,
      load: async () => ({ delivery: { status: 'unscheduled' } }),
      hasEnded: async () => true,
      create: async (...[, , , command]: [string, string, object, (now: string) => object]) => {
        sent.push((command(NOW) as { terms: { envelope: { eventId: string } } }).terms.envelope.eventId);
      },
    } as never,
    { first: async () => false, offer: () => undefined } as never,
    { retryForever: (_accountId, work) => work() },
  );
  return { scheduler, sent };
}

const source = { id: 's', position: '1', meta: { correlationId: 'c' } };
const publication = (days: number): Publication =>
  ({
    audience: 'a',
    earlier: [],
    source,
    envelope: {
      eventId: `event of ${days}`,
      eventType: 'order-created',
      resourceId: `o${days}`,
      occurredAt: ago(days),
    },
  }) as unknown as Publication;
const ping = (days: number): Recorded<WebhookEndpointPinged> =>
  ({
    ...source,
    data: { accountId: 'a', endpointId: 'e', eventId: `ping of ${days}`, sequence: 1, pingedAt: ago(days) },
  }) as unknown as Recorded<WebhookEndpointPinged>;

describe('a reader that begins far back in the log', () => {
  it('creates no delivery of an event that the event log no longer has', async () => {
    const { scheduler, sent } = rewound();
    const open = await scheduler.schedule(
      { publications: [200, 91, 89, 0].map(publication), pings: [ping(91), ping(1)] },
      () => false,
    );
    await Promise.all(open);
    expect(sent.sort()).toEqual(['event of 0', 'event of 89', 'ping of 1']);
  });
});

describe('a slice that is read again', () => {
  /** What is offered of a recorded delivery behind another one: at once, or after that one. */
  const offered = async (recorded: object): Promise<readonly unknown[]> => {
    const offers: unknown[] = [];
    const delivery = {
      ...{ deliveryId: 'd2', endpointId: 'e', accountId: 'a', after: 'd1', status: 'pending' },
      ...{ attempts: 0, attemptsBefore: 0, dueAt: NOW, waitsSince: NOW },
      ...recorded,
    };
    const endpoint = { ...ENDPOINT, createdAt: ago(300) };
    const scheduler = new DeliveryScheduler(
      { asRead: async () => new Map([['e', endpoint]]) } as never,
      { now: () => addSeconds(NOW, 59), load: async () => ({ delivery }) } as never,
      {
        first: async () => false,
        offer: ({ deliveryId }) => void offers.push(deliveryId),
        offerAfter: async ({ deliveryId }, before) => void offers.push(`${deliveryId} after ${before}`),
      },
      { retryForever: (_accountId, work) => work() },
    );
    await Promise.all(await scheduler.schedule({ publications: [publication(0)], pings: [] }, () => false));
    return offers;
  };

  it('leaves a delivery behind the one that it waits for', async () => {
    expect(await offered({})).toEqual(['d2 after d1']);
    expect(await offered({ attempts: 3, attemptsBefore: 3 })).toEqual(['d2 after d1']);
  });

  it.each([
    ['has waited for a minute', { waitsSince: addSeconds(NOW, -1) }],
    ['waits for none', { after: null }],
    ['was attempted', { attempts: 1 }],
    ['was interrupted while it was sent', { status: 'delivering', attempts: 1 }],
  ])('offers a delivery at once that %s', async (_, recorded) => expect(await offered(recorded)).toEqual(['d2']));

  it.each(['succeeded', 'failed'])('offers none that has %s', async (status) =>
    expect(await offered({ status })).toEqual([]),
  );
});
