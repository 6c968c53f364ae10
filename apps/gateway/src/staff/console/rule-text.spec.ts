const { ruleText } = jest.requireActual<{ ruleText: (name: string, value: unknown) => string }>(
  '../../../console/pricing/rule-text.js',
);

describe('a member of a pricing rule in the console', () => {
  it('is shown as "any" when the row has none or null, because rows for one pair and for all share a table', () => {
    const rows = [
      { 'source-asset': 'fiat/brl', 'trade-reason': null, bps: 80 },
      { 'trade-reason': 'international-travels', bps: 90 },
    ];
    const members = ['source-asset', 'trade-reason', 'bps'] as const;
    expect(rows.map((row) => members.map((name) => ruleText(name, (row as Record<string, unknown>)[name])))).toEqual([
      ['fiat/brl', 'any', '80'],
      ['any', 'international-travels', '90'],
    ]);
  });

  it('is shown as "BRL amount" for a limit without a side, and as "none" for a missing ceiling', () => {
    expect([ruleText('side', undefined), ruleText('side', 'target'), ruleText('ceiling-usd', null)]).toEqual([
      'BRL amount',
      'target',
      'none',
    ]);
  });

  it('is shown as "none" for a missing bound of the deviation, and as the default age of a reference', () => {
    expect([ruleText('unusable-deviation-bps', null), ruleText('unusable-deviation-bps', 1_000)]).toEqual([
      'none',
      '1000',
    ]);
    expect(ruleText('reference-stale-after-seconds', undefined)).toBe('518400');
  });

  it('is shown in words when it is a list or a flag', () => {
    expect([ruleText('weekdays', [1, 2]), ruleText('applicable', true), ruleText('applicable', false)]).toEqual([
      '1, 2',
      'yes',
      'no',
    ]);
  });
});
