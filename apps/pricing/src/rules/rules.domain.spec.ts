import { Rate, Unavailable } from '@ponte/kernel';
import defaultRules from '../default-rules.json';
import { isMarketOpen, isOffMarket } from '../market/conditions.domain';
import { iofAt, marketAt, spreadAt } from './in-force.domain';
import { assertComplete } from './check-rules.domain';
import { gaps } from './coverage.domain';
import { readOrViolations, readRules } from './read-rules.domain';

const rules = readRules(defaultRules);
const NOON = Date.UTC(2026, 4, 13, 14);
type Row = Record<string, unknown>;
const changed = (table: Exclude<keyof typeof defaultRules, 'version'>, change: Row) => {
  const [first, ...rest] = defaultRules[table] as Row[];
  return { ...defaultRules, [table]: [{ ...first, ...change }, ...rest] };
};

describe('the rule tables', () => {
  it('cover every conversion by default, with the prepared taxes switched off', () => {
    expect(() => assertComplete(rules, NOON)).not.toThrow();
    expect(rules.iof.filter((row) => row.applicable).map((row) => [row.direction, row.ppm, row.validFrom])).toEqual([
      ['buy', 35_000, Infinity],
      ['sell', 3_800, Infinity],
    ]);
    expect(iofAt(rules, 'fx', 'buy', 'international-travels', NOON)).toMatchObject({ applicable: false, ppm: 0 });
  });

  it.each<[string, unknown, string]>([
    ['a spread of 0 bps on FX', changed('spreads', { bps: 0 }), 'spreads[0].bps must be a whole number from 1'],
    ['a spread with a fraction', changed('spreads', { bps: 1.5 }), 'spreads[0].bps'],
    ['a fee as a number', changed('fees', { amount: 2 }), 'fees[0].amount'],
    ['a fee of three decimals', changed('fees', { amount: '2.001' }), 'fees[0].amount'],
    ['a rate where the tax is not applicable', changed('iof', { applicable: false }), 'iof[0].rate-ppm must be 0'],
    ['a tax on same-currency', changed('iof', { conversion: 'same-currency' }), 'iof[0].applicable must be false'],
    ['an unknown reason', changed('iof', { 'trade-reason': 'gift' }), 'iof[0].trade-reason must be one of'],
    ['a minimum of zero', changed('limits', { minimum: '0.00' }), 'limits[0].minimum must be greater than zero'],
    ['a maximum below the minimum', changed('limits', { maximum: '1.00' }), 'limits[0].maximum'],
    [
      'an end before the start',
      changed('fees', { 'valid-to': '2019-01-01T00:00:00Z' }),
      'fees[0].valid-to must be later',
    ],
    ['a date that does not exist', changed('fees', { 'valid-from': '2026-02-30T00:00:00Z' }), 'fees[0].valid-from'],
    ['a missing member', changed('rate-locks', { seconds: undefined }), 'rate-locks[0].seconds'],
    ['an unknown field', changed('rate-locks', { premium: 5 }), 'rate-locks[0].premium must be absent'],
    ['an unknown table', { ...defaultRules, discounts: [] }, 'discounts must be absent'],
    ['a peg of zero', changed('pegs', { usd: '0' }), 'pegs[0].usd must be a rate from 0.5 to 1.5'],
    ['an hour of 25', changed('market', { 'opens-at': '25:00' }), 'market[0].opens-at'],
    ['a day 7', changed('market', { weekdays: [7] }), 'market[0].weekdays[0]'],
    ['unusable before stale', changed('market', { 'unusable-after-seconds': 10 }), 'market[0].unusable-after-seconds'],
    ['rules that are not an object', [], 'the document must be an object'],
  ])('with %s are refused with the path of the violation', (_, json, message) =>
    expect(() => readRules(json)).toThrow(message),
  );

  it('have rows in force from valid-from until just before valid-to, and without a row there is no price', () => {
    const dated = readRules(
      changed('spreads', { 'valid-from': '2026-05-13T14:00:00.000Z', 'valid-to': '2026-05-13T15:00:00.000Z' }),
    );
    expect(spreadAt(dated, 'USDC', NOON).bps).toBe(80);
    expect(spreadAt(dated, 'USDC', NOON + 3_599_999).bps).toBe(80);
    for (const time of [NOON - 1, NOON + 3_600_000]) expect(() => spreadAt(dated, 'USDC', time)).toThrow(Unavailable);
    expect(() => assertComplete(dated, NOON - 1)).toThrow('no rule of spreads');
  });
});

describe('the validator of the rules', () => {
  const violations = (json: unknown) =>
    readOrViolations(json).violations.map(({ path, message }) => `${path} ${message}`);
  const [buy, sell, fx, same] = defaultRules.iof as Row[];
  const from = (time: string, row: Row = {}) => ({ ...fx, ...row, 'valid-from': time });

  it('accepts the default rules and finds no gap in them', () => {
    expect(violations(defaultRules)).toEqual([]);
    expect(gaps(rules, NOON)).toEqual([]);
  });

  it('reports every violation at once, and compares the fields of a row only if all can be read', () => {
    const json = {
      ...defaultRules,
      spreads: [{ token: 'USDX', bps: -80, 'valid-from': null, 'valid-to': null }, 'free'],
      limits: [{ ...defaultRules.limits[0], minimum: 10, maximum: '1.00' }],
      'rate-locks': [{ ...defaultRules['rate-locks'][0], 'premium-bps': 0 }],
      discounts: [],
    };
    expect(violations(json)).toEqual([
      'spreads[0].token must be one of USDC, USDT',
      'spreads[0].bps must be a whole number from 1 to 4999',
      'spreads[1] must be an object',
      'limits[0].minimum must be an amount such as "10.00"',
      'rate-locks[0].premium-bps must be a whole number from 1 to 4999',
      'discounts must be absent: it is not known',
    ]);
  });

  it('refuses a market that closes before it opens and a ceiling of zero', () => {
    expect(violations(changed('market', { 'closes-at': '08:00' }))).toEqual([
      'market[0].closes-at must be later than opens-at',
    ]);
    expect(violations(changed('limits', { 'ceiling-usd': '0.00' }))).toEqual([
      'limits[0].ceiling-usd must be greater than zero, or null',
    ]);
  });

  it('refuses rows of the same key that overlap, and accepts rows that follow each other', () => {
    const next = { ...from('2026-06-01T00:00:00.000Z'), 'rate-ppm': 0 };
    expect(violations({ ...defaultRules, iof: [buy, sell, fx, same, next] })).toEqual([
      'iof[4] overlaps iof[2] from 2026-06-01T00:00:00.000Z to without an end: end one where the other begins',
    ]);
    expect(
      violations({ ...defaultRules, iof: [{ ...fx, 'valid-to': '2026-06-01T00:00:00.000Z' }, same, next] }),
    ).toEqual([]);
    const spreads = [...defaultRules.spreads, { ...defaultRules.spreads[0], bps: 90 }];
    expect(violations({ ...defaultRules, spreads })[0]).toContain('spreads[2] overlaps spreads[0]');
  });

  it('refuses an IOF row that can never apply because a more general row before it matches first', () => {
    const special = from('2026-06-01T00:00:00.000Z', { direction: 'buy', 'trade-reason': 'international-travels' });
    expect(violations({ ...defaultRules, iof: [fx, same, special] })).toEqual([
      'iof[2] can never apply, because the more general iof[0] matches first: put the specific row first',
    ]);
    expect(violations({ ...defaultRules, iof: [special, fx, same] })).toEqual([]);
  });

  it('finds the periods in which a conversion has no row', () => {
    const until = { ...fx, 'valid-to': '2026-06-01T00:00:00.000Z' };
    const found = gaps(
      readRules({ ...defaultRules, iof: [until, from('2026-07-01T00:00:00.000Z', { direction: 'buy' }), same] }),
      NOON,
    );
    expect(found.map(({ path, message }) => `${path} ${message}`)).toEqual([
      'iof has no row for fx buy transfer-between-same-entity-accounts from 2026-06-01T00:00:00.000Z to 2026-07-01T00:00:00.000Z',
      'iof has no row for fx buy international-travels from 2026-06-01T00:00:00.000Z to 2026-07-01T00:00:00.000Z',
      'iof has no row for fx sell transfer-between-same-entity-accounts from 2026-06-01T00:00:00.000Z to without an end',
      'iof has no row for fx sell international-travels from 2026-06-01T00:00:00.000Z to without an end',
    ]);
    expect(gaps(readRules({ ...defaultRules, fees: [] }), NOON)).toMatchObject([{ path: 'fees' }, { path: 'fees' }]);
  });

  it('prices nothing by a version that is not yet or no longer valid', () => {
    const version = { id: 'next', 'valid-from': '2026-06-01T00:00:00.000Z', 'valid-to': '2026-07-01T00:00:00.000Z' };
    const next = readRules({ ...defaultRules, version });
    for (const time of [NOON, next.validTo]) expect(() => spreadAt(next, 'USDC', time)).toThrow(Unavailable);
    expect([next.id, spreadAt(next, 'USDC', next.validFrom).bps, gaps(next, NOON)]).toEqual(['next', 80, []]);
    expect(next.version).not.toBe(rules.version);
    expect(violations({ ...defaultRules, version: { ...version, 'valid-to': version['valid-from'] } })).toEqual([
      'version.valid-to must be later than valid-from',
    ]);
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
  ])('tell whether the spot market is open on %s', (_, time, open) => expect(isMarketOpen(rule, at(time))).toBe(open));

  const offMarket = (age: number, now: number, reference?: string | null, value = '5.00', referenceAge = 0) =>
    isOffMarket(
      {
        usdBrl: { rate: rate(value), observedAt: now - age },
        ...(reference === undefined
          ? {}
          : { reference: reference === null ? null : { rate: rate(reference), observedAt: now - referenceAge } }),
      },
      rule,
      now,
    );

  it('are off-market if the rate is stale, the market is closed or the deviation is too large', () => {
    expect(offMarket(30_000, NOON, '5.00')).toBe(false);
    expect(offMarket(30_001, NOON, '5.00')).toBe(true);
    expect(offMarket(0, at('2026-05-16T14:00:00Z'))).toBe(true);
    expect(offMarket(0, NOON, '5.00', '5.10')).toBe(false);
    expect(offMarket(0, NOON, '5.00', '5.1000000001')).toBe(true);
    expect(offMarket(0, NOON, '5.00', '4.8999999999')).toBe(true);
    expect(offMarket(0, NOON, undefined, '9.99')).toBe(false);
  });

  it('are off-market if the reference is too old or has no value', () => {
    expect(offMarket(0, NOON, '5.00', '5.00', rule.referenceStaleAfterMs)).toBe(false);
    expect(offMarket(0, NOON, '5.00', '5.00', rule.referenceStaleAfterMs + 1)).toBe(true);
    expect(offMarket(0, NOON, null)).toBe(true);
  });

  it('are not off-market because the clock of a source runs ahead, and the sandbox can set the flag', () => {
    expect(offMarket(-60_000, NOON)).toBe(false);
    expect(isOffMarket({ offMarket: false }, rule, at('2026-05-16T14:00:00Z'))).toBe(false);
    expect(isOffMarket({ offMarket: true, usdBrl: { rate: rate('5'), observedAt: NOON } }, rule, NOON)).toBe(true);
  });
});
