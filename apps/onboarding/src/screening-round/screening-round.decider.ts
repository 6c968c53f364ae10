import type { ScreenedCase, ScreeningRoundEvent, Timestamp } from '@ponte/contracts';
import { ScreeningRoundAdvanced, ScreeningRoundCompleted, ScreeningRoundStarted } from '@ponte/contracts';
import type { Decider } from '@ponte/event-sourcing';
import { canonicalJson } from '@ponte/kernel';

export interface BegunRound {
  readonly status: 'started' | 'completed';
  readonly roundId: string;
  readonly listsVersion: string;
  readonly startedAt: Timestamp;
  /** Null until the round is completed. */
  readonly completedAt: Timestamp | null;
  /** The last case that was tried; undefined before the first, null once all have been tried. */
  readonly last: ScreenedCase | null | undefined;
  readonly aside: readonly ScreenedCase[];
  readonly screened: number;
  readonly raised: number;
}

export type ScreeningRound = { readonly status: 'absent' } | BegunRound;

/** What a pass did. `from` is the progress that it began with. */
export interface Advance {
  readonly kind: 'advance';
  readonly from: Pick<BegunRound, 'last' | 'aside'>;
  readonly last: ScreenedCase | null | undefined;
  readonly aside: readonly ScreenedCase[];
  readonly screened: number;
  readonly raised: number;
  readonly at: Timestamp;
}

export type ScreeningRoundCommand =
  | {
      readonly kind: 'start';
      readonly roundId: string;
      readonly day: string;
      readonly listsVersion: string;
      readonly at: Timestamp;
    }
  | Advance;

const progressOf = ({ last, aside }: Pick<BegunRound, 'last' | 'aside'>): string =>
  canonicalJson({ last: last === undefined ? 'none' : last, aside });

/** The progress of a screening of everyone. It is completed when every case was screened. */
export const screeningRound: Decider<ScreeningRoundCommand, ScreeningRound, ScreeningRoundEvent> = {
  category: 'screeningRound',
  initial: { status: 'absent' },
  events: [ScreeningRoundStarted, ScreeningRoundAdvanced, ScreeningRoundCompleted],
  decide(command, state) {
    if (command.kind === 'start') {
      const { kind: _, at: startedAt, ...round } = command;
      return state.status === 'absent' ? [new ScreeningRoundStarted({ ...round, startedAt })] : [];
    }
    return advance(command, state);
  },
  evolve(state, event) {
    if (event.type === 'ScreeningRoundStarted') {
      const { roundId, listsVersion, startedAt } = event.data;
      const begun = { roundId, listsVersion, startedAt, completedAt: null };
      return { status: 'started', ...begun, last: undefined, aside: [], screened: 0, raised: 0 };
    }
    if (state.status === 'absent') throw new Error('a screening round cannot go on before it is started');
    if (event.type === 'ScreeningRoundCompleted')
      return { ...state, status: 'completed', completedAt: event.data.completedAt };
    const { last, aside, screened, raised } = event.data;
    return { ...state, last, aside, screened: state.screened + screened, raised: state.raised + raised };
  },
};

/** Another process may have gone on in the meantime. What this pass did is then done twice, but recorded once. */
function advance({ from, last, aside, screened, raised, at }: Advance, state: ScreeningRound): ScreeningRoundEvent[] {
  if (state.status !== 'started' || progressOf(from) !== progressOf(state)) return [];
  if (last === undefined || (screened === 0 && progressOf({ last, aside }) === progressOf(state))) return [];
  const { roundId, listsVersion } = state;
  const progress = new ScreeningRoundAdvanced({ roundId, last, aside, screened, raised, advancedAt: at });
  if (last !== null || aside.length > 0) return [progress];
  const total = { screened: state.screened + screened, raised: state.raised + raised };
  return [progress, new ScreeningRoundCompleted({ roundId, listsVersion, ...total, completedAt: at })];
}
