const { ruleText } = jest.requireActual<{ ruleText: (name: string, value: unknown) => string }>(
  '../../../console/pricing/rule-text.js',
);

describe('a member of a pricing rule in the console', () => {
  it('is "any" where the row leaves it out or has null: rows for one pair and for all share a table', () => {
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

  it('says that a limit without a side bounds the BRL amount, and that a ceiling can be missing', () => {
    expect([ruleText('side', undefined), ruleText('side', 'target'), ruleText('ceiling-usd', null)]).toEqual([
      'BRL amount',
      'target',
      'none',
    ]);
  });

  it('shows lists and flags in words', () => {
    expect([ruleText('weekdays', [1, 2]), ruleText('applicable', true), ruleText('applicable', false)]).toEqual([
      '1, 2',
      'yes',
      'no',
    ]);
  });
});
