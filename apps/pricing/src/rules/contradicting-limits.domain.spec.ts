import defaultRules from '../default-rules.json';
import { readOrViolations } from './read-rules.domain';

type Row = Record<string, unknown>;
const [fx = {}, same = {}]: Row[] = defaultRules.limits;
const [MAY, JUNE, JULY] = ['2026-05-01T00:00:00.000Z', '2026-06-01T00:00:00.000Z', '2026-07-01T00:00:00.000Z'];
const during = (row: Row, from: unknown, to: unknown): Row => ({ ...row, 'valid-from': from, 'valid-to': to });
const START = fx['valid-from'];
const violations = (limits: Row[]) =>
  readOrViolations({ ...defaultRules, limits }).violations.map(({ path, message }) => `${path} ${message}`);

describe('the bounds of a side in BRL', () => {
  const BUY: Row = { 'source-asset': 'fiat/brl', 'target-asset': 'eth-base/usdc' };
  const side = (minimum: string, maximum: string, from: unknown = START, to: unknown = null): Row =>
    during({ ...fx, ...BUY, side: 'source', minimum, maximum, 'ceiling-usd': null }, from, to);
  const brl = (minimum: string, maximum: string, from: unknown, to: unknown): Row =>
    during({ ...fx, minimum, maximum }, from, to);
  const refused = (at: number) => [`limits[0] has no amount in common with the BRL bounds of limits[${at}]`];

  it('are compared with the BRL bounds of every period, not only with the first', () => {
    const [now, later] = [brl('10.00', '1000.00', START, JUNE), brl('10.00', '400.00', JUNE, null)];
    expect(violations([side('500.00', '900.00'), now, later, same])).toEqual(refused(2));
    expect(violations([side('500.00', '900.00'), later, now, same])).toEqual(refused(1));
    expect(violations([side('500.00', '900.00', START, JUNE), now, later, same])).toEqual([]);
  });

  it('are compared with the row that applies to the pair, even when it begins or ends within the period', () => {
    const special = { ...brl('10.00', '1000.00', MAY, JULY), ...BUY };
    const general = brl('10.00', '400.00', START, null);
    expect(violations([side('500.00', '900.00', MAY, JULY), special, general, same])).toEqual([]);
    expect(violations([side('500.00', '900.00', MAY, null), special, general, same])).toEqual(refused(2));
    expect(violations([side('500.00', '900.00', START, JULY), special, general, same])).toEqual(refused(2));
  });

  it('are not compared with bounds of other conversions, or of rows that are never in force together', () => {
    const small = brl('10.00', '400.00', START, MAY);
    const large = brl('10.00', '1000.00', MAY, null);
    expect(violations([side('500.00', '900.00', MAY), small, large, { ...same, maximum: '400.00' }])).toEqual([]);
    expect(violations([side('500.00', '900.00', null), { ...fx, maximum: '400.00' }, same])).toEqual([]);
  });

  it('may have a single amount in common, and are compared with rows before them too', () => {
    const general = brl('10.00', '500.00', START, null);
    expect(violations([side('500.00', '900.00'), general, same])).toEqual([]);
    expect(violations([general, side('500.01', '900.00'), same])).toEqual([
      'limits[1] has no amount in common with the BRL bounds of limits[0]',
    ]);
  });

  it('are not bounds of a foreign side, whose numbers are of another asset', () => {
    const foreign = { ...side('900.000000', '999.000000'), side: 'target' };
    expect(violations([foreign, brl('10.00', '400.00', START, null), same])).toEqual([]);
  });
});
