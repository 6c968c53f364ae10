import { EndpointConcurrencyLimiter, EndpointLimiters, MAX_IDLE, MAX_IN_FLIGHT } from './endpoint-concurrency-limiter';
import { FIRST_QUEUE, FIRST_SECOND, MAX_QUEUE, RAMP_SECONDS } from './endpoint-queue';

const task = (at: number) => ({ deliveryId: `d${at}`, endpointId: 'e', accountId: 'a', after: null });
const capacity = (limiter: EndpointConcurrencyLimiter, nowMs = 0) => {
  let begun = 0;
  for (; limiter.mayStart(nowMs, MAX_IN_FLIGHT); begun += 1) limiter.begin();
  for (let ended = 0; ended < begun; ended += 1) limiter.end();
  return begun;
};

describe('the concurrency limiter of an endpoint', () => {
  it('reduces a failing receiver to one request at a time, and then raises the limit step by step', () => {
    const limiter = new EndpointConcurrencyLimiter('a');
    expect(capacity(limiter)).toBe(MAX_IN_FLIGHT);
    for (let failures = 0; failures < 10; failures += 1) limiter.recordFailure(0, null);
    expect(capacity(limiter)).toBe(1);
    for (let successes = 0; successes < 3; successes += 1) limiter.recordSuccess(0);
    expect(capacity(limiter)).toBe(4);
    for (let successes = 0; successes < 100; successes += 1) limiter.recordSuccess(0);
    expect(capacity(limiter, RAMP_SECONDS * 1_000)).toBe(MAX_IN_FLIGHT);
  });

  it('doubles the requests per second after an outage, however fast the receiver responds', () => {
    const limiter = new EndpointConcurrencyLimiter('a');
    for (let failures = 0; failures < 5; failures += 1) limiter.recordFailure(0, null);
    limiter.recordSuccess(0);
    const started = (second: number) => {
      let count = 0;
      for (let ms = second * 1_000; ms < (second + 1) * 1_000; ms += 1) {
        for (; limiter.mayStart(ms, MAX_IN_FLIGHT); count += 1) {
          limiter.begin();
          limiter.end();
          limiter.recordSuccess(ms);
          if (count > 10_000) return Infinity;
        }
      }
      return count;
    };
    const seconds = Array.from({ length: RAMP_SECONDS }, (_, second) => started(second));
    expect(seconds).toEqual(seconds.map((_, second) => FIRST_SECOND * 2 ** second));
    expect(started(RAMP_SECONDS)).toBe(Infinity);
    expect(limiter.isFresh(RAMP_SECONDS * 1_000)).toBe(true);
  });

  it('does not limit the rate after a single failure', () => {
    const limiter = new EndpointConcurrencyLimiter('a');
    limiter.recordFailure(0, null);
    for (let successes = 0; successes < MAX_IN_FLIGHT; successes += 1) limiter.recordSuccess(0);
    expect(capacity(limiter)).toBe(MAX_IN_FLIGHT);
  });

  it('pauses the whole endpoint after a Retry-After, for at most a minute', () => {
    const limiter = new EndpointConcurrencyLimiter('a');
    limiter.recordFailure(0, 20_000);
    expect(limiter.mayStart(19_999, MAX_IN_FLIGHT)).toBe(false);
    expect(limiter.mayStart(20_000, MAX_IN_FLIGHT)).toBe(true);
    limiter.recordFailure(20_000, 86_400_000);
    expect(limiter.mayStart(80_000, MAX_IN_FLIGHT)).toBe(true);
  });

  it('alternates between queued deliveries and waiting first attempts', async () => {
    const limiter = new EndpointConcurrencyLimiter('a');
    for (let at = 0; at < MAX_IN_FLIGHT; at += 1) limiter.begin();
    for (const at of [1, 2, 3]) limiter.queue.enqueue(task(at));
    const slots = [limiter.slot(0, MAX_IN_FLIGHT), limiter.slot(0, MAX_IN_FLIGHT)];
    expect(Array.from({ length: 5 }, () => limiter.next()?.deliveryId)).toEqual([
      undefined,
      task(1).deliveryId,
      undefined,
      task(2).deliveryId,
      task(3).deliveryId,
    ]);
    expect(await Promise.all(slots)).toEqual([true, true]);
    expect(limiter.isAwaited).toBe(false);
  });

  it('lets a bounded number of first attempts wait while the receiver is healthy, and rejects all of them after a failure', async () => {
    const limiter = new EndpointConcurrencyLimiter('a');
    const slots = Array.from({ length: MAX_IN_FLIGHT + MAX_QUEUE + 1 }, () => limiter.slot(0, MAX_IN_FLIGHT));
    expect(await Promise.all(slots.slice(0, MAX_IN_FLIGHT))).toEqual(Array(MAX_IN_FLIGHT).fill(true));
    expect(await slots.at(-1)).toBe(false);
    expect([limiter.mayStart(0, MAX_IN_FLIGHT), limiter.isFresh(0)]).toEqual([false, false]);
    limiter.end();
    expect(limiter.next()).toBeUndefined();
    expect(await slots[MAX_IN_FLIGHT]).toBe(true);
    expect(limiter.mayStart(0, MAX_IN_FLIGHT)).toBe(false);
    limiter.recordFailure(0, null);
    expect(new Set(await Promise.all(slots.slice(MAX_IN_FLIGHT + 1)))).toEqual(new Set([false]));
    expect([limiter.isAwaited, await limiter.slot(0, MAX_IN_FLIGHT)]).toEqual([false, false]);
  });

  it('never exceeds what the process can spare', () => {
    const limiter = new EndpointConcurrencyLimiter('a');
    expect(limiter.mayStart(0, 0)).toBe(false);
    limiter.begin();
    expect(limiter.mayStart(0, 1)).toBe(false);
  });
});

const REST_MS = 30_000;

function setUpLimiters() {
  const limiters = new EndpointLimiters();
  /** A request to the endpoint that fails. */
  const fail = (endpointId: string, restUntilMs: number | null = null): void => {
    const limiter = limiters.of(endpointId, 'a');
    limiter.begin();
    limiter.end();
    limiters.recordResult(
      { deliveryId: 'd', endpointId, accountId: 'a' },
      { ended: false, receiver: 'failed', restUntilMs },
      0,
    );
    limiters.release(endpointId, 0);
  };
  /** The most requests that the endpoint gets at a time. */
  const limitOf = (endpointId: string): number => {
    const limiter = limiters.of(endpointId, 'a');
    let running = 0;
    while (limiter.mayStart(0, MAX_IN_FLIGHT)) {
      limiter.begin();
      running += 1;
    }
    return running;
  };
  return { limiters, fail, limitOf };
}

describe('the limiter of an endpoint that failed', () => {
  it('is not in use between its requests, and keeps its limit', () => {
    const { limiters, fail, limitOf } = setUpLimiters();
    fail('e');
    expect(limiters.endpointIds()).toEqual([]);
    expect(limitOf('e')).toBe(MAX_IN_FLIGHT / 2);
    expect(limiters.endpointIds()).toEqual(['e']);
  });

  it('stays in use while the receiver asks for a pause', () => {
    const { limiters, fail } = setUpLimiters();
    fail('e', REST_MS);
    expect([limiters.toRead('e', 0), limiters.endpointIds()]).toEqual([0, ['e']]);
    limiters.release('e', REST_MS);
    expect([limiters.toRead('e', REST_MS), limiters.endpointIds()]).toEqual([FIRST_QUEUE, []]);
  });

  it('is forgotten after that of many other endpoints, which may have been deleted', () => {
    const { limiters, fail, limitOf } = setUpLimiters();
    for (let at = 0; at <= MAX_IDLE; at += 1) fail(`e${at}`);
    expect(limiters.endpointIds()).toEqual([]);
    expect([limitOf('e0'), limitOf('e1')]).toEqual([MAX_IN_FLIGHT, MAX_IN_FLIGHT / 2]);
  });
});
