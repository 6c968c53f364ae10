import 'reflect-metadata';
import defaultRules from '../default-rules.json';
import { AdoptRules } from './adopt-rules.job';
import { readConfiguredRules } from './configured-rules.domain';

/** The warnings of a process that starts with these rules on 28 November 2026. */
function warnings(json: object): unknown[] {
  const warn = jest.fn();
  const [unused, timers] = [{} as never, { every: jest.fn() }];
  const clock = { now: () => Date.UTC(2026, 10, 28, 14) };
  const configured = readConfiguredRules(json);
  new AdoptRules(unused, configured, timers as never, unused, clock, { warn } as never).onApplicationBootstrap();
  return warn.mock.calls.map(([, message]: unknown[]) => message);
}

describe('a process that starts with rules', () => {
  it('has nothing to report about the default rules', () => expect(warnings(defaultRules)).toEqual([]));

  it('reports a time without a row, and a year without a holiday', () => {
    const market = defaultRules.market.map((row) => ({ ...row, holidays: ['2026-12-25'] }));
    const fees = defaultRules.fees.map((row) => ({ ...row, 'valid-to': '2030-01-01T00:00:00.000Z' }));
    expect(warnings({ ...defaultRules, market, fees })).toEqual([
      expect.stringContaining('have a gap: fees has no row for USDC from 2030'),
      expect.stringContaining('have a gap: fees has no row for USDT from 2030'),
      'the pricing rules list no holiday of 2027: FX quotes on its holidays would not be marked as off-market',
    ]);
  });
});
