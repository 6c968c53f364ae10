import { scenario } from '@ponte/event-sourcing';
import { allowanceId, dailyAllowance } from './daily-allowance.decider';

describe('The daily allowance', () => {
  const take = (holdId: string, amount: string, count: number | null = null) =>
    ({
      kind: 'take',
      accountId: 'a1',
      date: '2027-03-01',
      asset: 'fiat/brl',
      amount,
      holdId,
      limit: { amount: '100.00', count },
    }) as const;
  const decide = scenario(dailyAllowance).given;
  const taken = (holdId: string, amount: string) => decide().when(take(holdId, amount)).events()[0] as never;

  it('allows exactly the limit and not a centavo more', () => {
    expect(decide(taken('h1', '60.00')).when(take('h2', '40.00')).events()).toHaveLength(1);
    expect(decide(taken('h1', '60.00')).when(take('h2', '40.01')).refusal()).toMatchObject({ code: 'limit-exceeded' });
  });

  it('limits the number of withdrawals', () => {
    const refused = decide(taken('h1', '1.00'))
      .when(take('h2', '1.00', 1))
      .refusal();
    expect(refused).toMatchObject({ code: 'limit-exceeded', violations: [{ path: '' }] });
    expect(
      decide(taken('h1', '1.00'))
        .when(take('h2', '1.00', 2))
        .events(),
    ).toHaveLength(1);
  });

  it('reports the remaining amount at the path of the amount', () => {
    expect(decide(taken('h1', '60.00')).when(take('h2', '40.01')).refusal()).toMatchObject({
      violations: [{ path: 'amount', message: expect.stringContaining('40.00') as unknown }],
    });
  });

  it('has nothing left when its limit was lowered below what was taken', () => {
    const lowered = { ...take('h2', '0.01'), limit: { amount: '50.00', count: null } };
    expect(decide(taken('h1', '60.00')).when(lowered).refusal()).toMatchObject({
      violations: [
        { path: 'amount', message: 'an account may withdraw 50.00 of fiat/brl a day, and 0.00 of it is left' },
      ],
    });
  });

  it('may have no limit of the amount', () => {
    const limit = { amount: null, count: 2 };
    expect(
      decide(taken('h1', '60.00'))
        .when({ ...take('h2', '1000000.00'), limit })
        .events(),
    ).toHaveLength(1);
  });

  it('is taken once and given back once', () => {
    expect(decide(taken('h1', '60.00')).when(take('h1', '60.00')).events()).toEqual([]);
    const back = { ...take('h1', '60.00'), kind: 'return', isCounted: false, isAbandoned: false } as const;
    const [returned] = decide(taken('h1', '60.00')).when(back).events();
    expect(
      decide(taken('h1', '60.00'), returned as never)
        .when(take('h2', '100.00'))
        .events(),
    ).toHaveLength(1);
    expect(
      decide(taken('h1', '60.00'), returned as never)
        .when(back)
        .events(),
    ).toEqual([]);
  });

  it('gets the amount back of a withdrawal whose transaction was signed, but still counts it', () => {
    const limit = { amount: '100.00', count: 2 };
    const back = { ...take('h1', '60.00'), kind: 'return', isCounted: true, isAbandoned: false } as const;
    const [returned] = decide(taken('h1', '60.00')).when(back).events();
    const after = decide(taken('h1', '60.00'), returned as never);
    expect(after.when({ ...take('h2', '100.00'), limit }).events()).toHaveLength(1);
    expect(after.when({ ...take('h2', '100.00'), limit: { ...limit, count: 1 } }).refusal()).toMatchObject({
      code: 'limit-exceeded',
    });
    expect(after.when(back).events()).toEqual([]);
  });

  it('cannot be taken for a hold that was given back before', () => {
    const back = { ...take('h1', '60.00'), kind: 'return', isCounted: false, isAbandoned: true } as const;
    const [returned] = decide().when(back).events();
    const after = decide(returned as never);
    expect(() => after.when(take('h1', '60.00')).events()).toThrow('abandoned');
    expect(after.when(take('h2', '100.00')).events()).toHaveLength(1);
    expect(after.when(back).events()).toEqual([]);
    expect(
      decide()
        .when({ ...back, isAbandoned: false })
        .events(),
    ).toEqual([]);
  });

  it('costs the same for each withdrawal, however many there were on that day', () => {
    const events = Array.from({ length: 1_000 }, (_, at) => taken(`h${at}`, '0.01'));
    const names = ['set', 'values', 'entries', 'forEach', Symbol.iterator] as const;
    const work = names.map((name) => jest.spyOn(Map.prototype, name as 'set'));
    let state = dailyAllowance.initial;
    for (const event of events) state = dailyAllowance.evolve(state, event);
    const decided = dailyAllowance.decide(take('one more', '90.00', 1_001), state);
    const calls = work.map(({ mock }) => mock.calls.length);
    for (const spy of work) spy.mockRestore();
    expect(decided).toHaveLength(1);
    expect(calls).toEqual([events.length, 0, 0, 0, 0]);
  });

  it('is separate for each account, day and asset', () => {
    expect(
      new Set([
        allowanceId('a', 'd', 'fiat/brl'),
        allowanceId('b', 'd', 'fiat/brl'),
        allowanceId('a', 'e', 'fiat/brl'),
        allowanceId('a', 'd', 'eth-base/usdc'),
      ]).size,
    ).toBe(4);
  });
});
