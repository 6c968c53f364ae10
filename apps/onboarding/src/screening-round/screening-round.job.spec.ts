import type { CommandBus } from '@nestjs/cqrs';
import type { ScreenedCase, ScreeningRoundEvent } from '@ponte/contracts';
import { Unavailable } from '@ponte/kernel';
import { pino } from 'pino';
import type { ScreenAgainCommand } from '../ongoing-screening/screen-again.command';
import type { ScreenedCases } from './screened-cases.service';
import type { BegunRound, ScreeningRound, ScreeningRoundCommand } from './screening-round.decider';
import { screeningRound } from './screening-round.decider';
import { ScreeningRoundJob } from './screening-round.job';
import type { ScreeningRounds } from './screening-rounds.service';

const AT = '2026-11-21T12:00:00.000Z';
const CASES = Array.from({ length: 400 }, (_, at): ScreenedCase => ({ kind: 'account', id: `a${1_000 + at}` }));

/** One round over `CASES`, in which the vendor fails for those that `fails` names. */
function roundUnderTest(fails: (id: string) => boolean) {
  let state: ScreeningRound = screeningRound.initial;
  const screened = new Set<string>();
  const execute = (command: ScreeningRoundCommand): ScreeningRound => {
    const events = screeningRound.decide(command, state) as ScreeningRoundEvent[];
    state = events.reduce<ScreeningRound>((folded, event) => screeningRound.evolve(folded, event), state);
    return state;
  };
  execute({ kind: 'start', roundId: 'r', day: '2026-11-21', listsVersion: 'vendor', at: AT });
  const round = () => state as BegunRound;
  const rounds = {
    current: async () => (round().status === 'started' ? round() : null),
    execute: async (_id: string, command: (at: string) => ScreeningRoundCommand) => execute(command(AT)),
  };
  const cases = {
    after: async (last: ScreenedCase | undefined, limit: number) =>
      CASES.filter(({ id }) => id > (last?.id ?? '')).slice(0, limit),
  };
  const commands = {
    execute: async ({ payload: { screened: one } }: ScreenAgainCommand) => {
      if (fails(one.id)) throw new Unavailable('service-unavailable');
      screened.add(one.id);
      return 0;
    },
  };
  let ids = 0;
  const job = new ScreeningRoundJob(
    rounds as unknown as ScreeningRounds,
    cases as unknown as ScreenedCases,
    commands as unknown as CommandBus,
    { listsVersion: () => 'vendor', screen: async () => ({ hits: [] }) },
    { now: () => Date.parse(AT) },
    { next: () => `00000000-0000-4000-8000-${String((ids += 1)).padStart(12, '0')}` },
    pino({ enabled: false }),
  );
  const passes = async (count: number) => {
    for (let pass = 0; pass < count; pass += 1) await job.run(new AbortController().signal);
  };
  return { round, screened, passes };
}

describe('A screening round that cannot screen more than a hundred people', () => {
  it('still screens everyone else', async () => {
    const failing = new Set(CASES.filter((_, at) => at % 3 === 0).map(({ id }) => id));
    const { round, screened, passes } = roundUnderTest((id) => failing.has(id));
    await passes(100);
    expect(screened.size).toBe(CASES.length - failing.size);
    expect(round()).toMatchObject({ status: 'started', last: null });
    expect(round().aside.map(({ id }) => id)).toEqual([...failing]);
  });

  it('goes on behind neighbours that all fail, also at the end of the list', async () => {
    const failing = new Set([...CASES.slice(0, 150), ...CASES.slice(380)].map(({ id }) => id));
    const { round, screened, passes } = roundUnderTest((id) => failing.has(id));
    await passes(100);
    expect(screened.size).toBe(CASES.length - failing.size);
    expect(round()).toMatchObject({ status: 'started', last: null, screened: CASES.length - failing.size });
    expect(round().aside.map(({ id }) => id)).toEqual([...failing]);
  });

  it('puts no one else aside while the vendor fails for everyone, and goes on when it answers again', async () => {
    let down = true;
    const { round, screened, passes } = roundUnderTest(() => down);
    await passes(50);
    expect(round().aside).toHaveLength(100);
    expect(round().last).toEqual(CASES[99]);
    down = false;
    await passes(20);
    expect(screened.size).toBe(CASES.length);
    expect(round().status).toBe('completed');
  });
});
