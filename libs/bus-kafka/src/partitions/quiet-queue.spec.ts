import RequestQueue from 'kafkajs/src/network/requestQueue';
import { quietQueues } from './quiet-queue';

describe('the request queue of a connection', () => {
  afterEach(() => {
    jest.useRealTimers();
  });

  test('is checked once while requests wait, and sets no timer otherwise', () => {
    jest.useFakeTimers();
    quietQueues();
    const quiet = (pending: unknown[], throttledUntil: number): { looks: number; queue: RequestQueue } => {
      const made = { looks: 0, queue: Object.create(RequestQueue.prototype) as RequestQueue };
      Object.assign(made.queue, {
        pending,
        throttledUntil,
        throttleCheckTimeoutId: null,
        checkPendingRequests: () => {
          made.looks += 1;
        },
      });
      made.queue.scheduleCheckPendingRequests();
      made.queue.scheduleCheckPendingRequests();
      return made;
    };
    const [idle, waiting, throttled] = [quiet([], -1), quiet([{}], -1), quiet([{}], Date.now() + 500)];
    expect(jest.getTimerCount()).toBe(2);
    jest.advanceTimersByTime(100);
    expect([idle.looks, waiting.looks, throttled.looks]).toEqual([0, 1, 0]);
    jest.advanceTimersByTime(500);
    expect([idle.looks, waiting.looks, throttled.looks]).toEqual([0, 1, 1]);
  });
});
