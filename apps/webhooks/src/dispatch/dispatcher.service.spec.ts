import pino from 'pino';
import type { FreshDelivery, FirstAttemptHooks } from './attempt.service';
import type { AttemptResult } from './attempt-result';
import { Dispatcher } from './dispatcher.service';
import { MAX_IN_FLIGHT } from './endpoint-limits/endpoint-concurrency-limiter';

const COUNT = 3 * MAX_IN_FLIGHT;
const turns = async (): Promise<void> => {
  for (let at = 0; at < 10; at += 1)
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
};

/** A receiver that responds at once or never, and a store that records outcomes only when {@link record} is called. */
class Fixtures {
  readonly posted: string[] = [];
  answers = true;
  private readonly recording: ((receiver: AttemptResult['receiver']) => void)[] = [];
  readonly dispatcher: Dispatcher;

  constructor() {
    const post = (deliveryId: string, delivered: () => void) => {
      this.posted.push(deliveryId);
      if (this.answers) delivered();
      return new Promise<AttemptResult>((resolve) => {
        this.recording.push((receiver) => resolve({ ended: receiver === 'accepted', receiver, restUntilMs: null }));
      });
    };
    const parts = [
      {
        first: ({ terms }: FreshDelivery, _: AbortSignal, { delivered }: FirstAttemptHooks) =>
          post(terms.deliveryId, delivered),
        run: ({ deliveryId }: { deliveryId: string }, _: AbortSignal, delivered: () => void) =>
          post(deliveryId, delivered),
      },
      { now: () => '2026-01-01T00:00:00.000Z', hasEnded: async () => true },
      { due: async () => ({ tasks: [], next: null }) },
      { post: async () => ({ kind: 'failed' }), close: async () => undefined },
      { now: () => 0 },
      pino({ level: 'silent' }),
      { of: (accountId: string) => accountId.split('/')[0] },
    ] as unknown as ConstructorParameters<typeof Dispatcher>;
    this.dispatcher = new Dispatcher(...parts);
    this.dispatcher.activate();
  }

  first(at: number, endpointId = 'e1', accountId = 'a'): Promise<boolean> {
    return this.dispatcher.first(
      { terms: { deliveryId: `d${at}`, endpointId, accountId, correlationId: 'c' } } as FreshDelivery,
      { retryForever: (work) => work(), delivered: () => undefined },
    );
  }

  offer(at: number, endpointId = 'e1', accountId = 'a'): void {
    this.dispatcher.offer({ deliveryId: `d${at}`, endpointId, accountId, after: null });
  }

  record(receiver: AttemptResult['receiver'] = 'accepted', count = Infinity): void {
    for (const one of this.recording.splice(0, count)) one(receiver);
  }
}

describe('the slots of an endpoint', () => {
  let fixtures: Fixtures;
  beforeEach(() => {
    fixtures = new Fixtures();
  });

  it('are released when the endpoint responds, before the outcome is recorded', async () => {
    const all = Array.from({ length: COUNT }, (_, at) => fixtures.first(at));
    for (let at = COUNT; at < 2 * COUNT; at += 1) fixtures.offer(at);
    await turns();
    expect(fixtures.posted).toHaveLength(2 * COUNT);
    fixtures.record();
    expect(new Set(await Promise.all(all))).toEqual(new Set([true]));
  });

  it('are never more than the limit while the endpoint does not respond, however many deliveries wait', async () => {
    fixtures.answers = false;
    const all = Array.from({ length: COUNT }, (_, at) => fixtures.first(at));
    await turns();
    expect(fixtures.posted).toHaveLength(MAX_IN_FLIGHT);
    fixtures.record();
    await turns();
    expect(fixtures.posted).toHaveLength(2 * MAX_IN_FLIGHT);
    for (let left = COUNT; left > 0; left -= MAX_IN_FLIGHT) {
      fixtures.record();
      await turns();
    }
    expect(new Set(await Promise.all(all))).toEqual(new Set([true]));
    expect(new Set(fixtures.posted).size).toBe(COUNT);
  });
});

describe('the queue of an endpoint', () => {
  it('gives up deliveries when the endpoint fails, and takes them again when they are found in the read model', async () => {
    const fixtures = new Fixtures();
    for (let at = 0; at < 5; at += 1) fixtures.offer(-1 - at);
    fixtures.record();
    await turns();
    fixtures.answers = false;
    const offerAll = (): void => {
      for (let at = 0; at < 4 * COUNT; at += 1) fixtures.offer(at);
    };
    offerAll();
    fixtures.record('failed', 1);
    await turns();
    for (let round = 0; round < COUNT; round += 1) {
      offerAll();
      fixtures.record();
      await turns();
    }
    expect(new Set(fixtures.posted).size).toBe(5 + 4 * COUNT);
  });
});

describe('a partner with a thousand endpoints that never respond', () => {
  /** More than there are slots. */
  const ENDPOINTS = 1_100;
  let fixtures: Fixtures;
  const hangAll = async (): Promise<void> => {
    for (let round = 0; round < 3; round += 1)
      for (let at = 0; at < ENDPOINTS; at += 1)
        fixtures.offer(round * ENDPOINTS + at, `slow-${at}`, `slow/${Math.floor(at / 10)}`);
    await turns();
  };
  beforeEach(() => {
    fixtures = new Fixtures();
    fixtures.answers = false;
  });

  it('uses at most half of all slots, also for new deliveries', async () => {
    await hangAll();
    void fixtures.first(-1, 'slow-new', 'slow/new');
    await turns();
    expect(fixtures.posted).toHaveLength(512);
  });

  it('uses no more when all deliveries begin in the same moment', async () => {
    for (let at = 0; at < ENDPOINTS; at += 1) void fixtures.first(at, `slow-${at}`, `slow/${at}`);
    await turns();
    expect(fixtures.posted).toHaveLength(512);
  });

  it('leaves each other partner its share, however much that has to send', async () => {
    await hangAll();
    for (const [place, partner] of ['b', 'c', 'd'].entries())
      for (let at = 0; at < 4 * COUNT; at += 1)
        fixtures.offer(1_000 * ENDPOINTS * (place + 1) + at, `${partner}-${at % 4}`, `${partner}/1`);
    await turns();
    fixtures.posted.length = 0;
    void fixtures.first(-2, 'e-1', 'e/1');
    await turns();
    expect(fixtures.posted).toEqual(['d-2']);
  });

  it('may use its endpoints at full speed while there is room', async () => {
    for (let at = 0; at < COUNT; at += 1) fixtures.offer(at, `slow-${at % 2}`, 'slow/1');
    await turns();
    expect(fixtures.posted).toHaveLength(2 * MAX_IN_FLIGHT);
  });
});
