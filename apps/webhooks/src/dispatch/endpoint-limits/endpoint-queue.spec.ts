import { EndpointLimiters } from './endpoint-concurrency-limiter';
import { FIRST_QUEUE, MAX_QUEUE, MAX_QUEUED, MIN_QUEUE, QueuedTasks } from './endpoint-queue';

const taskOf = (endpointId: string) => ({ deliveryId: 'd', endpointId, accountId: 'a', after: null });

/** The limiters of many endpoints, each of which has more due deliveries than fit into its queue. */
class Backlog {
  readonly queued: QueuedTasks;
  readonly limiters: EndpointLimiters;

  constructor(most?: number) {
    this.queued = new QueuedTasks(most);
    this.limiters = new EndpointLimiters(this.queued);
  }

  respond(endpointId: string, receiver: 'accepted' | 'failed', times = 5): void {
    for (let at = 0; at < times; at += 1)
      this.limiters.recordResult(taskOf(endpointId), { ended: false, receiver, restUntilMs: null }, 0);
  }

  /** Offers more tasks than an endpoint may have. Returns how many found room. */
  fill(endpointId: string): number {
    const limiter = this.limiters.of(endpointId, 'a');
    let found = 0;
    while (found <= MAX_QUEUE && limiter.queue.enqueue(taskOf(endpointId))) found += 1;
    return found;
  }

  /** Takes queued tasks out and returns how many there were. */
  take(endpointId: string, most: number): number {
    let taken = 0;
    while (taken < most && this.limiters.get(endpointId)?.queue.dequeue()) taken += 1;
    return taken;
  }
}

const endpoints = (count: number, name = 'e') => Array.from({ length: count }, (_, at) => `${name}${at}`);

describe('the tasks in memory', () => {
  const MANY = endpoints(10_000);

  it.each([
    ['fails', 'failed', MAX_QUEUED / 2],
    ['succeeds', 'accepted', MAX_QUEUED],
  ] as const)('are limited over all endpoints when each of 10,000 has a backlog and %s', (_title, receiver, most) => {
    const backlog = new Backlog();
    for (let round = 0; round < 3; round += 1)
      for (const endpointId of MANY) {
        backlog.respond(endpointId, receiver);
        backlog.fill(endpointId);
      }
    const { count } = backlog.queued;
    expect(count).toBeLessThanOrEqual(most + MANY.length);
    expect(backlog.limiters.emptyAll()).toHaveLength(count);
    expect(backlog.queued.count).toBe(0);
  });

  it('of 10,000 endpoints that fail leave those of a healthy one all their room', () => {
    const backlog = new Backlog();
    for (const endpointId of MANY) {
      backlog.respond(endpointId, 'failed');
      backlog.fill(endpointId);
    }
    backlog.respond('healthy', 'accepted');
    expect(backlog.fill('healthy')).toBe(MAX_QUEUE);
  });

  it('include one of each endpoint, even if others fill all the room', () => {
    const backlog = new Backlog(1);
    expect(MANY.map((endpointId) => backlog.fill(endpointId))).toEqual(MANY.map(() => 1));
    expect(backlog.limiters.toRead('e1', 0)).toBe(0);
    backlog.take('e1', 1);
    expect(backlog.limiters.toRead('e1', 0)).toBe(FIRST_QUEUE);
  });

  it('are shared by the endpoints that have many, whichever came first', () => {
    const [room, few] = [1_000, endpoints(10)];
    const backlog = new Backlog(room);
    for (const endpointId of few) backlog.respond(endpointId, 'accepted');
    for (let round = 0; round < 100; round += 1)
      for (const endpointId of few) {
        backlog.take(endpointId, 32);
        backlog.fill(endpointId);
      }
    const lengths = few.map((endpointId) => backlog.take(endpointId, Infinity));
    expect(Math.min(...lengths)).toBeGreaterThanOrEqual(Math.floor(room / (few.length + 1)) - 1);
  });
});

describe('the queue of an endpoint', () => {
  it('becomes longer with each success and shorter with each failure, and gives back what has no room', () => {
    const backlog = new Backlog();
    const responses = ['accepted', 'accepted', 'accepted', ...Array<'failed'>(6).fill('failed')] as const;
    const lengths = responses.map((receiver) => {
      backlog.respond('e', receiver, 1);
      backlog.fill('e');
      return backlog.queued.count;
    });
    expect(lengths).toEqual([256, MAX_QUEUE, MAX_QUEUE, 256, 128, 64, 32, MIN_QUEUE, MIN_QUEUE]);
  });

  it('becomes longer while deliveries end without a request, because the endpoint was disabled', () => {
    const backlog = new Backlog();
    backlog.respond('e', 'failed', 3);
    const end = (ended: boolean) =>
      backlog.limiters.recordResult(taskOf('e'), { ended, receiver: 'not-called', restUntilMs: null }, 0);
    end(false);
    expect(backlog.fill('e')).toBe(MIN_QUEUE);
    backlog.take('e', MIN_QUEUE);
    for (let at = 0; at < 5; at += 1) end(true);
    expect(backlog.fill('e')).toBe(MAX_QUEUE);
  });

  it('asks for more once it is nearly empty, but not while the endpoint fails', () => {
    const backlog = new Backlog();
    const limiter = backlog.limiters.of('e', 'a');
    backlog.respond('e', 'failed');
    backlog.fill('e');
    backlog.take('e', MIN_QUEUE);
    expect(limiter.queue.wantsMore()).toBe(false);
    backlog.respond('e', 'accepted', 1);
    backlog.fill('e');
    expect([limiter.queue.wantsMore(), limiter.toRead(0)]).toEqual([false, 0]);
    backlog.take('e', 2 * MIN_QUEUE - 4);
    expect([limiter.toRead(0), limiter.queue.wantsMore(), limiter.queue.wantsMore()]).toEqual([
      2 * MIN_QUEUE,
      true,
      false,
    ]);
  });
});
