import type { TradeReason } from '@ponte/contracts';
import { Unavailable } from '@ponte/kernel';
import defaultRules from '../default-rules.json';
import { gaps } from './coverage.domain';
import { feeAt, iofAt, pegAt, rateLockAt, rateLocksAt, spreadAt, validityAt } from './in-force.domain';
import { readRules } from './read-rules.domain';

type Row = Record<string, unknown>;
const NOON = Date.UTC(2026, 4, 13, 14);
const [MAY, JUNE, JULY] = ['2026-05-01T00:00:00.000Z', '2026-06-01T00:00:00.000Z', '2026-07-01T00:00:00.000Z'];
const dated = { 'valid-from': '2020-01-01T00:00:00.000Z', 'valid-to': null };
const rulesWith = (tables: Record<string, Row[]>) => readRules({ ...defaultRules, ...tables });
const messages = (tables: Record<string, Row[]>, version: Row | null = null): string[] =>
  gaps(readRules({ ...defaultRules, ...tables, version }), NOON).map(({ path, message }) => `${path} ${message}`);

describe('the row of a table', () => {
  it('is that of the token or the conversion that is quoted', () => {
    const tokens = (one: Row, other: Row): Row[] => [
      { ...dated, token: 'USDC', ...one },
      { ...dated, token: 'USDT', ...other },
    ];
    const rules = rulesWith({
      spreads: tokens({ bps: 10 }, { bps: 20 }),
      fees: tokens({ amount: '1.00' }, { amount: '2.00' }),
      pegs: tokens({ usd: '1.01' }, { usd: '0.99' }),
      'quote-validity': [
        { ...dated, conversion: 'fx', seconds: 30 },
        { ...dated, conversion: 'same-currency', seconds: 60 },
      ],
    });
    const shown = (['USDC', 'USDT'] as const).map((token) => [
      spreadAt(rules, token, NOON).bps,
      feeAt(rules, token, NOON).amount,
      pegAt(rules, token, NOON).usd.toString(),
    ]);
    expect(shown).toEqual([
      [10, 100n, expect.stringMatching(/^1\.010*$/)],
      [20, 200n, expect.stringMatching(/^0\.990*$/)],
    ]);
    expect((['fx', 'same-currency'] as const).map((kind) => validityAt(rules, kind, NOON).seconds)).toEqual([30, 60]);
  });

  it('of IOF is that of the conversion, the direction and the reason, the special row before the general one', () => {
    const row = (ppm: number, direction: string | null, reason: string | null): Row => ({
      ...{ ...dated, conversion: 'fx', direction, 'trade-reason': reason },
      ...{ 'rate-ppm': ppm, applicable: true, 'basis-ref': 'x' },
    });
    const travel: TradeReason = 'international-travels';
    const own: TradeReason = 'transfer-between-same-entity-accounts';
    const same = { ...row(0, null, null), conversion: 'same-currency', applicable: false };
    const rules = rulesWith({ iof: [row(1, 'buy', travel), row(2, 'sell', travel), row(3, 'buy', null), same] });
    expect(iofAt(rules, 'fx', 'buy', travel, NOON).ppm).toBe(1);
    expect(iofAt(rules, 'fx', 'sell', travel, NOON).ppm).toBe(2);
    expect(iofAt(rules, 'fx', 'buy', own, NOON).ppm).toBe(3);
    expect(() => iofAt(rules, 'fx', 'sell', own, NOON)).toThrow(Unavailable);
    expect(iofAt(rules, 'same-currency', 'sell', null, NOON)).toMatchObject({ ppm: 0, applicable: false });
  });

  it('of a rate lock is offered by its name while it and the version are in force', () => {
    const lock = (name: string, more: Row = {}): Row => ({ ...dated, name, 'premium-bps': 5, seconds: 60, ...more });
    const locks = { 'rate-locks': [lock('a', { 'valid-to': JUNE }), lock('b', { 'premium-bps': 7 })] };
    const rules = rulesWith(locks);
    const names = (at: number) => rateLocksAt(rules, at).map(({ name }) => name);
    expect([names(NOON), names(Date.parse(JUNE))]).toEqual([['a', 'b'], ['b']]);
    expect(rateLockAt(rules, 'b', NOON)?.premiumBps).toBe(7);
    expect(rateLockAt(rules, 'c', NOON)).toBeUndefined();
    const version = { id: 'next', 'valid-from': JUNE, 'valid-to': null };
    const next = readRules({ ...defaultRules, ...locks, version });
    expect([rateLocksAt(next, NOON), rateLockAt(next, 'b', NOON)]).toEqual([[], undefined]);
  });
});

describe('a period without a row', () => {
  const [usdc = {}, usdt = {}]: Row[] = defaultRules.fees;
  const during = (row: Row, from: string | null, to: string | null): Row => ({
    ...row,
    ...{ 'valid-from': from, 'valid-to': to },
  });
  const none = (from: string, to: string) => `fees has no row for USDC from ${from} to ${to}`;
  const now = new Date(NOON).toISOString();

  it('is found for each token and conversion, even if there is a row for another one', () => {
    expect(messages({ fees: [usdt] })).toEqual([none(now, 'without an end')]);
    const [fx = {}, same = {}]: Row[] = defaultRules['quote-validity'];
    expect(messages({ 'quote-validity': [fx] })).toHaveLength(1);
    expect(messages({ 'quote-validity': [same] })).toEqual([
      expect.stringContaining('quote-validity has no row for fx'),
    ]);
  });

  it('is found in whatever order the rows are, and not where one row begins as another ends', () => {
    const [first, last] = [during(usdc, MAY, JUNE), during(usdc, JULY, null)];
    for (const rows of [
      [first, last, usdt],
      [last, usdt, first],
    ])
      expect(messages({ fees: rows })).toEqual([none(JUNE, JULY)]);
    const between = during(usdc, JUNE, JULY);
    expect(messages({ fees: [last, between, first, usdt] })).toEqual([]);
  });

  it('is not filled by a row that is switched off, and is of no interest outside the validity of the version', () => {
    expect(messages({ fees: [during(usdc, null, null), usdt] })).toEqual([none(now, 'without an end')]);
    const version = { id: 'june', 'valid-from': JUNE, 'valid-to': JULY };
    expect(messages({ fees: [during(usdc, JUNE, JULY), usdt] }, version)).toEqual([]);
    expect(messages({ fees: [during(usdc, JULY, null), usdt] }, version)).toEqual([none(JUNE, JULY)]);
    expect(messages({ fees: [during(usdc, MAY, JUNE), usdt] }, version)).toEqual([none(JUNE, JULY)]);
  });
});
