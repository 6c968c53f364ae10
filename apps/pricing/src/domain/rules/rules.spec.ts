import { Rate, Unavailable } from '@ponte/kernel';
import defaultRules from '../../default-rules.json';
import { isMarketOpen, isOffMarket } from '../market/conditions';
import { assertComplete, iofAt, marketAt, spreadAt } from './in-force';
import { readRules } from './read-rules';

const rules = readRules(defaultRules);
const NOON = Date.UTC(2026, 4, 13, 14);
type Row = Record<string, unknown>;
const changed = (table: keyof typeof defaultRules, change: Row) => {
  const [first, ...rest] = defaultRules[table] as Row[];
  return { ...defaultRules, [table]: [{ ...first, ...change }, ...rest] };
};

describe('the rule tables', () => {
  it('as delivered cover every conversion; the taxes that are ready are off', () => {
    expect(() => assertComplete(rules, NOON)).not.toThrow();
    expect(rules.iof.filter((row) => row.applicable).map((row) => [row.direction, row.ppm, row.validFrom])).toEqual([['buy', 35_000, Infinity], ['sell', 3_800, Infinity]]);
    expect(iofAt(rules, 'fx', 'buy', 'international-travels', NOON)).toMatchObject({ applicable: false, ppm: 0 });
  });

  it.each<[string, unknown, string]>([
    ['a spread of 0 bps on FX', changed('spreads', { bps: 0 }), 'spreads[0].bps must be a whole number from 1'],
    ['a spread with a fraction', changed('spreads', { bps: 1.5 }), 'spreads[0].bps'],
    ['a fee as a number', changed('fees', { amount: 2 }), 'fees[0].amount'],
    ['a fee of three decimals', changed('fees', { amount: '2.001' }), 'fees[0].amount'],
    ['a rate where the tax is not applicable', changed('iof', { applicable: false }), 'iof[0].rate-ppm must be 0'],
    ['a tax on same-currency', changed('iof', { conversion: 'same-currency' }), 'iof[0].applicable must be false'],
    ['a reason that is none', changed('iof', { 'trade-reason': 'gift' }), 'iof[0].trade-reason must be one of'],
    ['a minimum of nothing', changed('limits', { minimum: '0.00' }), 'limits[0].minimum must be above zero'],
    ['a maximum below the minimum', changed('limits', { maximum: '1.00' }), 'limits[0].maximum'],
    ['an end before the start', changed('fees', { 'valid-to': '2019-01-01T00:00:00Z' }), 'fees[0].valid-to must be later'],
    ['a date that does not exist', changed('fees', { 'valid-from': '2026-02-30T00:00:00Z' }), 'fees[0].valid-from'],
    ['a missing member', changed('rate-locks', { seconds: undefined }), 'rate-locks[0].seconds'],
    ['a member that nobody reads', changed('rate-locks', { premium: 5 }), 'rate-locks[0].premium must be absent'],
    ['a table that nobody reads', { ...defaultRules, discounts: [] }, 'discounts must be absent'],
    ['a peg of zero', changed('pegs', { usd: '0' }), 'a rate is a decimal above zero'],
    ['an hour of 25', changed('market', { 'opens-at': '25:00' }), 'market[0].opens-at'],
    ['a day 7', changed('market', { weekdays: [7] }), 'market[0].weekdays[0]'],
    ['unusable before stale', changed('market', { 'unusable-after-seconds': 10 }), 'market[0].unusable-after-seconds'],
    ['no object', [], 'the whole must be an object'],
  ])('%s stops the start and names its place', (_, json, message) => expect(() => readRules(json)).toThrow(message));

  it('a row is in force from valid-from to before valid-to, and without one there is no price', () => {
    const dated = readRules(changed('spreads', { 'valid-from': '2026-05-13T14:00:00.000Z', 'valid-to': '2026-05-13T15:00:00.000Z' }));
    expect(spreadAt(dated, 'USDC', NOON).bps).toBe(80);
    expect(spreadAt(dated, 'USDC', NOON + 3_599_999).bps).toBe(80);
    for (const time of [NOON - 1, NOON + 3_600_000]) expect(() => spreadAt(dated, 'USDC', time)).toThrow(Unavailable);
    expect(() => assertComplete(dated, NOON - 1)).toThrow('no rule of spreads');
  });
});

describe('market conditions', () => {
  const rule = marketAt(rules, NOON);
  const at = (iso: string) => Date.parse(iso);
  const rate = (text: string) => Rate.parse('USD', 'BRL', text);

  it.each([
    ['Wednesday 09:00', '2026-05-13T12:00:00Z', true],
    ['a millisecond before', '2026-05-13T11:59:59.999Z', false],
    ['Wednesday 16:59', '2026-05-13T19:59:59Z', true],
    ['Wednesday 17:00', '2026-05-13T20:00:00Z', false],
    ['Saturday', '2026-05-16T14:00:00Z', false],
    ['Sunday', '2026-05-17T14:00:00Z', false],
    ['Friday 23:30 UTC is still Friday, and closed', '2026-05-15T23:30:00Z', false],
    ['a holiday', '2026-09-07T14:00:00Z', false],
  ])('the spot market on %s', (_, time, open) => expect(isMarketOpen(rule, at(time))).toBe(open));

  const judged = (age: number, now: number, reference?: string, value = '5.00') =>
    isOffMarket({ usdBrl: { rate: rate(value), observedAt: now - age }, reference: reference === undefined ? undefined : rate(reference) }, rule, now);

  it('off-market: stale, closed, or further from the reference than the rule lets it', () => {
    expect(judged(30_000, NOON, '5.00')).toBe(false);
    expect(judged(30_001, NOON, '5.00')).toBe(true);
    expect(judged(0, at('2026-05-16T14:00:00Z'))).toBe(true);
    expect(judged(0, NOON, '5.00', '5.10')).toBe(false);
    expect(judged(0, NOON, '5.00', '5.1000000001')).toBe(true);
    expect(judged(0, NOON, '5.00', '4.8999999999')).toBe(true);
    expect(judged(0, NOON, undefined, '9.99')).toBe(false);
  });

  it('a source whose clock runs ahead is not stale; the sandbox may say it outright', () => {
    expect(judged(-60_000, NOON)).toBe(false);
    expect(isOffMarket({ offMarket: false }, rule, at('2026-05-16T14:00:00Z'))).toBe(false);
    expect(isOffMarket({ offMarket: true, usdBrl: { rate: rate('5'), observedAt: NOON } }, rule, NOON)).toBe(true);
  });
});
