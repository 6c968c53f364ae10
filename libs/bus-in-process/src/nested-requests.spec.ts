import { Unavailable } from '@ponte/kernel';
import { query } from '@ponte/event-sourcing';
import type { InProcessBus } from './message-bus';
import { Ask, bus, buses, context, useBusesForEachTest } from './bus-under-test.testing';

useBusesForEachTest();

const GetBalance = query<object, unknown>('ledger', 'get-balance');
const GetHolder = query<object, unknown>('onboarding', 'get-holder');

/** A bus on which only `GetBalance` is declared for the handler of `Ask`, which makes the request `nested`. */
function nesting(nested: typeof GetBalance): InProcessBus {
  const one = bus({ isDeclaredNested: (request, to) => request === Ask.pattern && to === GetBalance.pattern });
  for (const { pattern } of [GetBalance, GetHolder]) one.handle(pattern, async () => ({ answers: pattern }));
  one.handle(Ask.pattern, () => one.request(nested, {}, context));
  return one;
}

describe('a bus that checks nested requests', () => {
  it('lets a handler make the requests that are listed for it', async () => {
    const one = nesting(GetBalance);
    expect(await one.request(Ask, {}, context)).toEqual({ answers: GetBalance.pattern });
    await one.stop();
  });

  it('fails a handler that makes another request, and then fails to stop', async () => {
    const one = nesting(GetHolder);
    await expect(one.request(Ask, {}, context)).rejects.toThrow(Unavailable);
    expect(await one.request(GetHolder, {}, context)).toEqual({ answers: GetHolder.pattern });
    expect(await one.request(GetHolder, {}, { ...context, correlationId: 'other' })).toBeDefined();
    buses.pop();
    await expect(one.stop()).rejects.toThrow(
      'handlers make requests that NESTED_REQUESTS does not list: ledger.command.ask requests ' +
        'onboarding.query.get-holder',
    );
  });
});
