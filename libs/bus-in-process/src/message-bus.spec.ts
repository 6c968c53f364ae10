import { Refusal, refusal, Unavailable } from '@ponte/kernel';
import { failureText, safeError } from '@ponte/event-sourcing';
import { eventually } from '@ponte/testing';
import { Ask, context, logged, bus, publish, useBusesForEachTest } from './bus-under-test.testing';

useBusesForEachTest();

test('duplicate or unknown registrations are reported at once', async () => {
  const one = bus();
  one.handle('p', async () => undefined);
  expect(() => one.handle('p', async () => undefined)).toThrow('has two handlers');
  expect(() => one.consume({ group: 'g', service: 'unknown', consume: async () => undefined })).toThrow(
    'unknown service',
  );
  one.consume({ group: 'g', service: 'ledger', consume: async () => undefined });
  expect(() => one.consume({ group: 'g', service: 'ledger', consume: async () => undefined })).toThrow(
    'already consumes',
  );
  await expect(one.release('g', 'deposit-1')).rejects.toThrow('no consumer');
});

test('services may register and start one after the other; stop stops each of them once', async () => {
  const seen: string[] = [];
  const one = bus();
  one.consume({ group: 'a', service: 'ledger', consume: async () => void seen.push('a') });
  await one.start();
  one.consume({ group: 'b', service: 'ledger', consume: async () => void seen.push('b') });
  await one.start();
  await publish('deposit-1', {});
  await eventually(() => expect([...seen].sort()).toEqual(['a', 'b']));
  await Promise.all([one.stop(), one.stop()]);
  one.handle(Ask.pattern, async () => 1);
  await expect(one.request(Ask, {}, context)).rejects.toThrow(Unavailable);
});

test("a request returns what its handler returns, and fails with the handler's error", async () => {
  const one = bus();
  const handlers: (() => Promise<unknown>)[] = [
    async () => 'an answer',
    async () => {
      throw refusal('quote-expired', 'expired');
    },
    () => {
      throw new TypeError('a bug');
    },
  ];
  one.handle(Ask.pattern, async () => handlers.shift()?.());
  const limited = { ...context, deadline: 1 };
  await expect(one.request(Ask, {}, limited)).resolves.toBe('an answer');
  await expect(one.request(Ask, {}, limited)).rejects.toThrow(Refusal);
  await expect(one.request(Ask, {}, limited)).rejects.toThrow(Unavailable);
  expect(logged.map(({ message }) => message)).toEqual(['a request failed unexpectedly']);
});

test.each([
  ['a Date', { when: new Date(0) }],
  ['a bigint', { amount: 1n }],
  ['a Map', { map: new Map() }],
  ['NaN', { n: Number.NaN }],
  [
    'an instance',
    {
      list: [
        new (class Money {
          amount = '1';
        })(),
      ],
    },
  ],
])('with checked payloads, %s is refused because a real bus could not carry it', async (_, payload) => {
  const one = bus({ checkPayloads: true });
  one.handle(Ask.pattern, async () => ({ fine: undefined }));
  await expect(one.request(Ask, payload, context)).rejects.toThrow(Unavailable);
  await expect(one.request(Ask, { plain: [null, 1, 'x', { y: undefined }] }, context)).resolves.toEqual({});
});

test('logs and parked reasons contain the messages of our own errors, but only the code location of others', () => {
  const choked = (() => {
    try {
      return JSON.parse('João da Silva');
    } catch (error) {
      return error;
    }
  })() as Error;
  expect(choked.message).toContain('João');
  expect(JSON.stringify(safeError(choked)) + failureText(choked)).not.toContain('João');
  expect(failureText(choked)).toMatch(/^SyntaxError: at /);
  expect(failureText(refusal('insufficient-balance', 'too little'))).toBe('Refusal: insufficient-balance: too little');
  expect(failureText('João')).toBe('string');
});
