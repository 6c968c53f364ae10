import defaultRules from '../default-rules.json';
import { marketAt, ruleInput } from './in-force.domain';
import { readOrViolations, readRules } from './read-rules.domain';

type Row = Record<string, unknown>;
const NOON = Date.UTC(2026, 4, 13, 14);
type Table = Exclude<keyof typeof defaultRules, 'version'>;
const changed = (table: Table, change: Row) => {
  const [first, ...rest] = defaultRules[table] as Row[];
  return { ...defaultRules, [table]: [{ ...first, ...change }, ...rest] };
};
const paths = (json: unknown): string[] => readOrViolations(json).violations.map(({ path }) => path);

describe('a field of the rules', () => {
  it.each<[Table, string, unknown[], unknown[]]>([
    ['spreads', 'bps', ['80', null, 0, 5_000, 80.5], [1, 4_999]],
    ['fees', 'amount', [2, null, '-1.00', '1.001', '1e2'], ['0.00', '1', '1.10']],
    ['iof', 'basis-ref', [1, '', null], ['x']],
    ['iof', 'applicable', ['true', 1, null], [true]],
    ['iof', 'rate-ppm', [-1, 1_000_000], [0, 999_999]],
    ['quote-validity', 'seconds', [0, 604_801], [1, 604_800]],
    ['market', 'opens-at', ['9:00', '09:60', '09:0x', '09:00:00', 'x09:00', '-1:00', 540], ['00:00', '08:59']],
    ['market', 'closes-at', ['24:01', '09:00', '08:59'], ['24:00', '09:01', '17:59']],
    ['market', 'valid-to', ['tomorrow', 0, '2020-01-01T00:00:00.000Z'], ['2020-01-01T00:00:00.001Z', null]],
    ['market', 'unusable-after-seconds', [29], [30]],
    ['market', 'unusable-deviation-bps', [199], [200, null]],
    ['limits', 'maximum', ['9.99'], ['10.00']],
    ['pegs', 'usd', ['0', '0.0', '1.', '01', '1.00000000001', '1000000', 'x'], ['0.5', '0.88', '1.0000000001', '1.5']],
    ['pegs', 'usd', ['0.0000000001', '0.0988', '0.4999999999', '1.5000000001', '9.88', '999999'], ['0.988']],
  ])('%s.%s is read up to its bounds and refused beyond them', (table, member, refused, accepted) => {
    for (const value of refused) expect(paths(changed(table, { [member]: value }))).toEqual([`${table}[0].${member}`]);
    for (const value of accepted) expect(paths(changed(table, { [member]: value }))).toEqual([]);
  });

  it('in a list is refused by its place', () => {
    const days = { weekdays: [0, -1, 6, 7, '1', 1.5], holidays: ['2026-12-25', '2026-02-30', 20261225] };
    expect(paths(changed('market', days))).toEqual([
      ...[1, 3, 4, 5].map((at) => `market[0].weekdays[${at}]`),
      ...[1, 2].map((at) => `market[0].holidays[${at}]`),
    ]);
    expect(paths(changed('market', { weekdays: 'all', holidays: null }))).toEqual([
      'market[0].weekdays',
      'market[0].holidays',
    ]);
    expect(paths({ ...defaultRules, fees: {} })).toEqual(['fees']);
    expect(paths({ ...defaultRules, fees: [null, []] })).toEqual(['fees[0]', 'fees[1]']);
  });

  it('of the version may be absent, null or open at either end', () => {
    const read = (version: unknown) => {
      const { id, validFrom, validTo } = readRules({ ...defaultRules, version });
      return [id, validFrom, validTo];
    };
    const { version: _version, ...unnamed } = defaultRules;
    expect(readRules(unnamed)).toMatchObject({ id: null, validFrom: -Infinity, validTo: Infinity });
    expect(read(null)).toEqual([null, -Infinity, Infinity]);
    const open = { id: 'a', 'valid-from': null, 'valid-to': '2026-06-01T00:00:00.000Z' };
    expect(read(open)).toEqual(['a', -Infinity, Date.UTC(2026, 5, 1)]);
    expect(paths({ ...defaultRules, version: 'a' })).toEqual(['version']);
    expect(paths({ ...defaultRules, version: { ...open, more: 1 } })).toEqual(['version.more']);
  });
});

describe('a row that is shown to explain a quote', () => {
  it('has the fields and values of the configuration', () => {
    const [row = {}]: Row[] = defaultRules.market;
    const market = {
      ...{ ...row, 'valid-from': '2026-05-01T00:00:00.000Z', 'valid-to': '2026-06-01T00:00:00.000Z' },
      ...{ 'opens-at': '09:05', 'closes-at': '17:00', 'reference-stale-after-seconds': 1_000 },
      'unusable-deviation-bps': 300,
    };
    const rules = readRules({ ...defaultRules, market: [market] });
    const shown = ruleInput(rules, 'market', marketAt(rules, NOON));
    expect(shown).toEqual({ table: 'market', row: 0, values: market });
    expect(ruleInput(rules, 'market', marketAt(rules, NOON))).toBe(shown);
  });

  it.each<Table>(['spreads', 'fees', 'iof', 'quote-validity', 'rate-locks', 'pegs'])(
    'of %s can be read again',
    (name) => {
      const rules = readRules(defaultRules);
      const table =
        ({ 'quote-validity': 'validity', 'rate-locks': 'rateLocks' } as const)[name as 'rate-locks'] ?? name;
      const shown = rules[table].map((row) => ruleInput(rules, table, row).values);
      expect(readRules({ ...defaultRules, [name]: shown })[table]).toEqual(rules[table]);
    },
  );
});
