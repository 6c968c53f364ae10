interface Validity {
  readonly 'valid-from'?: string | null;
  readonly 'valid-to'?: string | null;
}
const { rowStanding, versionStanding } = jest.requireActual<{
  rowStanding: (row: Validity, version: string, now: number) => string;
  versionStanding: (version: Validity, isUsed: boolean, now: number) => string;
}>('../../../console/pricing/rule-standing.js');

const NOW = Date.parse('2026-06-01T12:00:00.000Z');
const [EARLIER, LATER] = ['2026-06-01T12:00:00.000Z', '2026-06-01T12:00:00.001Z'];
const validity = (from: string | null, to: string | null): Validity => ({ 'valid-from': from, 'valid-to': to });

describe('the standing of a version of the rules in the console', () => {
  it.each([
    ['In force', validity(null, null)],
    ['In force', validity(EARLIER, LATER)],
    ['Ended', validity(null, EARLIER)],
    ['Later', validity(LATER, null)],
  ])('is "%s" by its own dates, if pricing uses it', (expected, version) => {
    expect(versionStanding(version, true, NOW)).toBe(expected);
  });

  it('is "Superseded" if pricing uses another one, whatever its dates are', () => {
    for (const version of [validity(null, null), validity(null, EARLIER), validity(LATER, null)])
      expect(versionStanding(version, false, NOW)).toBe('Superseded');
  });
});

describe('the standing of a row of the rules in the console', () => {
  const row = validity(EARLIER, null);

  it('is "In force" only in a version that is in force', () => {
    for (const version of ['In force', 'Superseded', 'Ended', 'Later'])
      expect(rowStanding(row, version, NOW)).toBe(version);
  });

  it('is that of its own dates if they exclude this moment, in any version', () => {
    for (const version of ['In force', 'Superseded', 'Ended']) {
      expect(rowStanding(validity(EARLIER, EARLIER), version, NOW)).toBe('Ended');
      expect(rowStanding(validity(LATER, null), version, NOW)).toBe('Later');
      expect(rowStanding(validity(null, null), version, NOW)).toBe('Not enabled');
      expect(rowStanding({}, version, NOW)).toBe('Not enabled');
    }
  });
});
