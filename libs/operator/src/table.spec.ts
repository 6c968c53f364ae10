import { age, printRows } from './table';

const HOUR = 3_600_000;

describe('a table', () => {
  it('shows people aligned columns under titles, and programs every field', () => {
    const rows = [
      { 'parked-at': 'a', reason: null, fence: 1 },
      { 'parked-at': 'longer than its title', reason: 'r', fence: 2 },
    ];
    const printed = (json: boolean): string => {
      const lines: string[] = [];
      printRows((text) => void lines.push(text), rows, { json, none: '', shown: ({ fence: _, ...row }) => row });
      return lines.join('\n');
    };
    expect(printed(false)).toBe(
      ['PARKED AT              REASON', 'a                      -', 'longer than its title  r'].join('\n'),
    );
    expect(JSON.parse(printed(true))).toEqual(rows);
  });

  it.each([
    [0, '0 s'],
    [119_999, '119 s'],
    [120_000, '2 min'],
    [2 * HOUR, '2 h'],
    [47 * HOUR, '47 h'],
    [49 * HOUR, '2 d'],
    [-5_000, '0 s'],
  ])('shows the age of %i ms as %s', (ms, text) => {
    const now = Date.UTC(2026, 0, 31);
    expect(age(new Date(now - ms).toISOString(), now)).toBe(text);
  });
});
