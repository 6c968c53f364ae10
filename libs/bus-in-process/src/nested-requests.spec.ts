import { Unavailable } from '@ponte/kernel';
import { query } from '@ponte/event-sourcing';
import type { InProcessBus } from './message-bus';
import { Ask, bus, buses, context, useBusesForEachTest } from './bus-under-test.testing';

useBusesForEachTest();

const GetBalance = query<object, unknown>('ledger', 'get-balance');
const GetHolder = query<object, unknown>('onboarding', 'get-holder');

/** A bus on which the handler of `Ask` may make the request `GetBalance`, and makes another one. */
function asking(asked: typeof GetBalance): InProcessBus {
  const one = bus({ mayAsk: (by, to) => by === Ask.pattern && to === GetBalance.pattern });
  for (const { pattern } of [GetBalance, GetHolder]) one.handle(pattern, async () => ({ answers: pattern }));
  one.handle(Ask.pattern, () => one.request(asked, {}, context));
  return one;
}

describe('with checked requests', () => {
  it('a handler may make the requests that are listed for it', async () => {
    const one = asking(GetBalance);
    expect(await one.request(Ask, {}, context)).toEqual({ answers: GetBalance.pattern });
    await one.stop();
  });

  it('a handler that makes another request fails, and so does the stop of the bus', async () => {
    const one = asking(GetHolder);
    await expect(one.request(Ask, {}, context)).rejects.toThrow(Unavailable);
    expect(await one.request(GetHolder, {}, context)).toEqual({ answers: GetHolder.pattern });
    expect(await one.request(GetHolder, {}, { ...context, correlationId: 'other' })).toBeDefined();
    buses.pop();
    await expect(one.stop()).rejects.toThrow(
      'handlers make requests that NESTED_REQUESTS does not list: ledger.command.ask asks onboarding.query.get-holder',
    );
  });
});
