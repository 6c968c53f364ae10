import * as contracts from '@ponte/contracts';
import { scenario } from '@ponte/event-sourcing';
import type { Advance, BegunRound } from './screening-round.decider';
import { screeningRound } from './screening-round.decider';

const AT = '2026-11-21T12:00:00.000Z';
const one = { kind: 'request', id: '1' } as const;
const two = { kind: 'request', id: '2' } as const;
const started = new contracts.ScreeningRoundStarted({
  ...{ roundId: 'r', day: '2026-11-21', listsVersion: 'lists-1', startedAt: AT },
});
const advanced = (last: contracts.ScreenedCase | null, aside: contracts.ScreenedCase[] = []) =>
  new contracts.ScreeningRoundAdvanced({ roundId: 'r', last, aside, screened: 1, raised: 1, advancedAt: AT });
const given = (...past: contracts.ScreeningRoundEvent[]) => {
  const round = scenario(screeningRound).given(started, ...past);
  return {
    state: () => round.state() as BegunRound,
    advance: (change: Partial<Advance>) =>
      round
        .when({
          ...{ kind: 'advance', from: round.state() as BegunRound, last: undefined, aside: [], at: AT },
          ...{ screened: 1, raised: 0 },
          ...change,
        })
        .events(),
  };
};

describe('A screening round', () => {
  it('is started once', () => {
    const start = { kind: 'start', roundId: 'r', day: '2026-11-21', listsVersion: 'lists-1', at: AT } as const;
    expect(scenario(screeningRound).given().when(start).events()).toEqual([started]);
    expect(scenario(screeningRound).given(started).when(start).events()).toEqual([]);
  });

  it('is completed once every case was tried and none is put aside, with its totals', () => {
    expect(
      given()
        .advance({ last: one })
        .map(({ type }) => type),
    ).toEqual(['ScreeningRoundAdvanced']);
    expect(given(advanced(one)).advance({ last: null, aside: [two] })).toHaveLength(1);
    expect(given(advanced(one), advanced(null, [two])).advance({ last: null })).toMatchObject([
      { type: 'ScreeningRoundAdvanced' },
      { type: 'ScreeningRoundCompleted', data: { listsVersion: 'lists-1', screened: 3, raised: 2 } },
    ]);
  });

  it('records a pass without cases only if it was the last one', () => {
    const nothing = { screened: 0, raised: 0 };
    expect(given(advanced(one)).advance({ last: one, ...nothing })).toEqual([]);
    expect(given().advance({ last: undefined, ...nothing })).toEqual([]);
    expect(given().advance({ last: null, ...nothing })).toHaveLength(2);
  });

  it('ignores a pass that began before another process went on, and any pass after its end', () => {
    const stale = given(advanced(one)).state();
    expect(given(advanced(one), advanced(two)).advance({ from: stale, last: two })).toEqual([]);
    const completed = new contracts.ScreeningRoundCompleted({
      ...{ roundId: 'r', listsVersion: 'lists-1', screened: 1, raised: 0, completedAt: AT },
    });
    expect(given(advanced(null), completed).advance({ last: null })).toEqual([]);
  });
});
