import { pause } from '@ponte/concurrency';
import type { DeadLetter } from '@ponte/bus-kafka';
import type { LogReport } from '@ponte/eventstore-sqlite';
import type { RebuildableView } from '@ponte/read-models';
import type {
  KeptCheckpoint,
  OperatorAction,
  OperatorOutcome,
  OperatorState,
  ParkedEvents,
  Position,
} from '@ponte/event-sourcing';
import type { Clock, Ids } from '@ponte/kernel';
import { OperatorError } from './desk';
import type { TimeReader } from './time-reader';

/** Who changes something, and why; both are kept and logged. */
export interface Because {
  readonly actor: string;
  readonly reason: string;
}

/** What the verbs work on, wherever the tables lie and whether or not anything runs. */
export interface OperatorTools {
  readonly operator: OperatorState;
  readonly parkedEvents: ParkedEvents;
  readonly views: readonly RebuildableView[];
  readonly systemClock: Clock;
  readonly ids: Ids;
  /** Readers that can be put back. */
  readonly rewindable: readonly string[];
  /** Those that are put back to a time. */
  readonly timeReaders: readonly TimeReader[];
  /** The places of time readers that do not keep them as checkpoints; without those that have read nothing. */
  timePlaces(): Promise<readonly { readonly reader: string; readonly place: string }[]>;
  /** Of the projectors of views, kept with them. */
  viewCheckpoints(): Promise<readonly KeptCheckpoint[]>;
  /** The end of the log; null when it is unknown. */
  head(): Promise<Position | undefined | null>;
  /** What is left of the dead letters on the brokers; absent where there are none. */
  deadLetters?(): Promise<readonly DeadLetter[]>;
  /** What this process does itself when no other takes an action; undefined for a verb that it cannot do. */
  alone(verb: string): ((subject: OperatorAction['subject']) => Promise<OperatorOutcome>) | undefined;
  /** No process of the service can run beside this one, so none is waited for. */
  readonly nothingRuns?: boolean;
  /** Wraps the keys of persons under another master key; absent where that one lies outside. */
  rewrapKeys?(): Promise<string>;
  /** Reads the whole log; absent where the store's own server does that. */
  checkLog?(): Promise<LogReport>;
  /**
   * Forgets what the edge answered under which key; absent where there is no edge, or where it lies in a file that is
   * deleted instead.
   */
  forgetAnswers?(): Promise<void>;
  close(): Promise<void>;
}

const LOOK_MS = 100;
/** Running processes look four times a second. */
const TAKEN_WITHIN_MS = 5_000;
const ENDED_WITHIN_MS = 15 * 60_000;

/**
 * Has something carried out by a running process that can, or here when none runs, and tells how it ended. Kept with
 * who and why in any case.
 */
export async function perform(
  tools: OperatorTools,
  verb: string,
  subject: OperatorAction['subject'],
  because: Because,
): Promise<OperatorOutcome> {
  const { actions } = tools.operator;
  const now = (): string => new Date(tools.systemClock.now()).toISOString();
  const id = tools.ids.next();
  await actions.ask({ id, verb, subject, ...because, askedAt: now() });
  const taken = await until(tools.nothingRuns ? 0 : TAKEN_WITHIN_MS, async () => {
    const action = await actions.find(id);
    return action?.takenBy !== null && action?.takenBy !== undefined;
  });
  if (!taken) {
    const alone = tools.alone(verb);
    // Taking the action is exclusive, also when a process starts at this moment.
    if (await actions.take(id, alone ? `operator ${because.actor}` : 'unknown')) {
      const outcome = alone
        ? await alone(subject)
        : {
            succeeded: false,
            detail: 'no process that could do this is running; start the service and repeat the command',
          };
      await actions.end(id, outcome, now());
      return outcome;
    }
  }
  const ended = await until(ENDED_WITHIN_MS, async () => (await actions.find(id))?.outcome !== null);
  const outcome = (await actions.find(id))?.outcome;
  if (!ended || !outcome)
    throw new OperatorError(
      `action ${id} was started and has not finished; "actions" and the log of its process show more, and it is safe to repeat the command`,
    );
  return outcome;
}

async function until(patienceMs: number, there: () => Promise<boolean>): Promise<boolean> {
  for (let waited = 0; waited < patienceMs; waited += LOOK_MS) {
    if (await there()) return true;
    await pause(LOOK_MS);
  }
  return there();
}
