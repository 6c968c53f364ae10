import { PAIRS } from '@ponte/contracts';
import defaultRules from '../default-rules.json';
import { gaps } from './coverage.domain';
import { limitsAt, ruleInput } from './in-force.domain';
import { readOrViolations, readRules } from './read-rules.domain';

const NOON = Date.UTC(2026, 4, 13, 14);
type Row = Record<string, unknown>;
const dated = { 'valid-from': '2020-01-01T00:00:00.000Z', 'valid-to': null };
const [fx = {}, same = {}]: Row[] = defaultRules.limits;
const BUY: Row = { 'source-asset': 'fiat/brl', 'target-asset': 'eth-base/usdc' };
const limit = (more: Row): Row => ({ ...fx, ...more, ...dated });
const side = (more: Row): Row =>
  limit({ ...BUY, side: 'target', minimum: '5.000000', maximum: '999.999999', 'ceiling-usd': null, ...more });
const withRows = (...limits: Row[]) => ({ ...defaultRules, limits });
const violations = (...limits: Row[]): string[] =>
  readOrViolations(withRows(...limits)).violations.map(({ path, message }) => `${path} ${message}`);
const iofRow = (more: Row): Row => ({
  ...{ conversion: 'fx', direction: null, 'trade-reason': null, 'rate-ppm': 0, applicable: false, 'basis-ref': 'x' },
  ...dated,
  ...more,
});

describe('a row of limits', () => {
  it('matches every pair of its conversion, a source, a target or a pair; the first matching row is used', () => {
    const rules = readRules(
      withRows(
        limit({ ...BUY, maximum: '500.00' }),
        limit({ 'source-asset': 'fiat/brl', maximum: '600.00' }),
        fx,
        same,
      ),
    );
    const maximum = (source: string, target: string) => {
      const pair = PAIRS.find((one) => one.source === source && one.target === target);
      if (!pair) throw new Error('no such pair');
      return limitsAt(rules, pair.conversion, pair, NOON).map((row) => row.maximum);
    };
    expect(maximum('fiat/brl', 'eth-base/usdc')).toEqual([500_00n]);
    expect(maximum('fiat/brl', 'eth-base/usdt')).toEqual([600_00n]);
    expect(maximum('eth-base/usdc', 'fiat/brl')).toEqual([10_000_000_00n]);
    expect(maximum('fiat/brl', 'tempo/brlv')).toEqual([10_000_000_00n]);
  });

  it('with a side has bounds in the decimals of that asset, in addition to the BRL bounds', () => {
    const rules = readRules(withRows(side({}), fx, same));
    const rows = limitsAt(rules, 'fx', { source: 'fiat/brl', target: 'eth-base/usdc' }, NOON);
    expect(rows.map(({ side: of, minimum, maximum }) => [of, minimum, maximum])).toEqual([
      [null, 10_00n, 10_000_000_00n],
      ['target', 5_000_000n, 999_999_999n],
    ]);
    const shown = rules.limits
      .map((rule) => ruleInput(rules, 'limits', rule))
      .find(({ values }) => values['side'] === 'target');
    expect(shown?.values).toMatchObject({
      ...BUY,
      minimum: '5.000000',
      maximum: '999.999999',
      'ceiling-usd': null,
    });
  });

  it.each<[string, Row, string]>([
    [
      'an asset that does not exist',
      limit({ 'source-asset': 'eth-base/doge' }),
      'limits[0].source-asset must be one of',
    ],
    [
      'a pair of another conversion',
      limit({ 'target-asset': 'tempo/brlv' }),
      'limits[0].conversion must be a conversion that the pair has',
    ],
    [
      'a pair that has no price',
      limit({ 'source-asset': 'eth-base/usdc', 'target-asset': 'eth-base/usdt' }),
      'limits[0].conversion',
    ],
    [
      'an FX minimum at which dust could be quoted',
      limit({ minimum: '9.99' }),
      'limits[0].minimum must be at least 10.00 for FX',
    ],
    [
      'a side without its asset',
      side({ 'target-asset': null, minimum: '5.00', maximum: '6.00' }),
      'limits[0].target-asset must be an asset, because side is target',
    ],
    ['a side with a ceiling', side({ 'ceiling-usd': '1.00' }), 'limits[0].ceiling-usd must be null if side is set'],
    [
      'a side that does not exist',
      side({ side: 'both', minimum: '5.00', maximum: '6.00' }),
      'limits[0].side must be one of source, target',
    ],
    ['more decimals than the asset has', side({ minimum: '5.0000001' }), 'limits[0].minimum'],
    ['a side with a maximum below the minimum', side({ maximum: '4.999999' }), 'limits[0].maximum'],
  ])('is refused for %s', (_what, row, violation) => {
    expect(violations(row, fx, same)[0]).toContain(violation);
  });

  it('is refused if it overlaps another row or can never apply because of it', () => {
    expect(violations(side({}), side({}), fx, same)).toEqual([expect.stringContaining('limits[1] overlaps limits[0]')]);
    expect(violations(fx, limit(BUY), same)).toEqual([
      'limits[1] can never apply, because the more general limits[0] matches first: put the specific row first',
    ]);
    const [source, target] = [limit({ 'source-asset': 'fiat/brl' }), limit({ 'target-asset': 'eth-base/usdc' })];
    expect(violations(source, target, fx, same)).toEqual([
      'limits[1] overlaps limits[0]: both match fx brl fiat/brl eth-base/usdc, so put a row for exactly that before them',
    ]);
    expect(violations(limit(BUY), source, target, fx, same)).toEqual([]);
    // The bounds of a side and of the BRL amount are independent.
    expect(violations(side({}), limit(BUY), fx, same)).toEqual([]);
  });

  it('is refused if its bounds of a side in BRL have no amount in common with the BRL bounds', () => {
    const source = (minimum: string, maximum: string) => side({ side: 'source', minimum, maximum });
    const none = 'limits[0] has no amount in common with the BRL bounds of limits[1]';
    expect(violations(source('10000000.01', '20000000.00'), fx, same)).toEqual([none]);
    expect(violations(source('1.00', '9.99'), fx, same)).toEqual([none]);
    expect(violations(source('9.00', '10.00'), fx, same)).toEqual([]);
    const wide = limit({ ...BUY, maximum: '30000000.00' });
    expect(violations(source('10000000.01', '20000000.00'), wide, fx, same)).toEqual([]);
  });

  it('is required for the BRL amount of every pair', () => {
    const found = gaps(readRules(withRows(limit(BUY), same)), NOON).map(({ path, message }) => `${path} ${message}`);
    expect(found).toHaveLength(7);
    expect(found).toContainEqual(expect.stringContaining('limits has no row for eth-base/usdc to fiat/brl'));
    expect(found).not.toContainEqual(expect.stringContaining('fiat/brl to eth-base/usdc'));
  });
});

describe('rows of IOF that overlap in part', () => {
  const travel = iofRow({ 'trade-reason': 'international-travels', 'rate-ppm': 1 });
  const buy = iofRow({ direction: 'buy', 'rate-ppm': 2 });
  const iof = (...rows: Row[]) => ({
    ...defaultRules,
    iof: [...rows, iofRow({}), iofRow({ conversion: 'same-currency' })],
  });
  const violations = (json: unknown) =>
    readOrViolations(json).violations.map(({ path, message }) => `${path} ${message}`);

  it('are refused unless an earlier row matches exactly what both match', () => {
    expect(violations(iof({ ...travel, applicable: true }, { ...buy, applicable: true }))).toEqual([
      'iof[1] overlaps iof[0]: both match fx buy international-travels, so put a row for exactly that before them',
    ]);
    const both = iofRow({ direction: 'buy', 'trade-reason': 'international-travels' });
    expect(violations(iof(both, { ...travel, applicable: true }, { ...buy, applicable: true }))).toEqual([]);
    const tooShort = { ...both, 'valid-to': '2026-06-01T00:00:00.000Z' };
    expect(violations(iof(tooShort, { ...travel, applicable: true }, { ...buy, applicable: true }))).toEqual([
      expect.stringContaining('iof[2] overlaps iof[1]'),
    ]);
  });

  it('are accepted when they are never in force at the same time', () => {
    const until = { ...travel, applicable: true, 'valid-to': '2026-06-01T00:00:00.000Z' };
    const after = { ...buy, applicable: true, 'valid-from': '2026-06-01T00:00:00.000Z' };
    expect(violations(iof(until, after))).toEqual([]);
  });
});
