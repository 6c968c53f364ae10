import { refusal, Unavailable } from '@ponte/kernel';
import type { BusUnderTest } from './bus-under-test.testing';
import { Ask, context } from './bus-under-test.testing';

export function describeRequests(current: () => BusUnderTest): void {
  describe('requests', () => {
    test('return the reply and pass payload and context to the handler', async () => {
      const { bus } = current();
      const seen: unknown[] = [];
      bus.handle(Ask.pattern, async (payload, given) => {
        seen.push(payload, given.commandId);
        return { answer: 'yes' };
      });
      await bus.start();
      const given = context();
      expect(await bus.request(Ask, { text: 'well?' }, given)).toEqual({ answer: 'yes' });
      expect(seen).toEqual([{ text: 'well?' }, given.commandId]);
    });

    test('reject with a `Refusal` or `Unavailable` as it was thrown, with all violations', async () => {
      const { bus } = current();
      const thrown: Error[] = [
        refusal('insufficient-balance', 'too little', 'source-amount', { 'order-id': 'x' }),
        new Unavailable('chain-unavailable', 'later', 7),
      ];
      bus.handle(Ask.pattern, async () => {
        throw thrown[0] as Error;
      });
      await bus.start();
      await expect(bus.request(Ask, { text: '' }, context())).rejects.toMatchObject({
        name: 'Refusal',
        violations: [{ code: 'insufficient-balance', path: 'source-amount', message: 'too little', 'order-id': 'x' }],
      });
      thrown.shift();
      await expect(bus.request(Ask, { text: '' }, context())).rejects.toMatchObject({
        name: 'Unavailable',
        code: 'chain-unavailable',
        retryAfterSeconds: 7,
      });
    });

    test('reject with `Unavailable`, without details, when the handler has an unexpected error', async () => {
      const { bus } = current();
      bus.handle(Ask.pattern, async () => {
        throw new TypeError('secret details');
      });
      await bus.start();
      const failure = await bus.request(Ask, { text: '' }, context()).catch((error: unknown) => error);
      expect(failure).toBeInstanceOf(Unavailable);
      expect(String((failure as Error).message)).not.toContain('secret');
    });

    test('reject with `Unavailable` without a handler', async () => {
      const { bus, now, travelMs = 500 } = current();
      await bus.start();
      await expect(bus.request(Ask, { text: '' }, context(now() + travelMs))).rejects.toThrow(Unavailable);
    });

    test('are not handled after their deadline, and do not wait for a later reply', async () => {
      const { bus, now, travelMs = 500 } = current();
      let executed = 0;
      let release = (): void => undefined;
      const released = new Promise<void>((resolve) => {
        release = resolve;
      });
      bus.handle(Ask.pattern, async () => {
        executed += 1;
        await released;
        return { answer: 'late' };
      });
      await bus.start();
      await expect(bus.request(Ask, { text: '' }, context(now() - 1))).rejects.toThrow(Unavailable);
      expect(executed).toBe(0);
      // On a slow machine the first deadlines may pass before the request reaches its handler.
      for (let ms = travelMs; executed === 0; ms *= 2)
        await expect(bus.request(Ask, { text: '' }, context(now() + ms))).rejects.toThrow(Unavailable);
      expect(executed).toBe(1);
      release();
    });
  });
}
