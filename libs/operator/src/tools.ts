import { pause } from '@ponte/concurrency';
import type { DeadLetter } from '@ponte/bus-kafka';
import type { LogReport } from '@ponte/eventstore-sqlite';
import type { RebuildableReadModel } from '@ponte/read-models';
import type {
  KeptCheckpoint,
  OperatorAction,
  OperatorOutcome,
  OperatorState,
  ParkedEvents,
  Position,
  Recorded,
} from '@ponte/event-sourcing';
import type { Clock, Ids } from '@ponte/kernel';
import { NO_PROCESS, OperatorError } from './action-runner';
import type { ShownEvent } from './shown-events';
import type { TimeReader } from './time-reader';

/** The person who changes something and the reason; both are stored and logged. */
export interface OperatorReason {
  readonly actor: string;
  readonly reason: string;
}

/** What the commands need, independent of the engines in use and of whether the service runs. */
export interface OperatorTools {
  readonly operator: OperatorState;
  readonly parkedEvents: ParkedEvents;
  readonly readModels: readonly RebuildableReadModel[];
  readonly systemClock: Clock;
  readonly ids: Ids;
  /** Readers of the log that can be rewound. */
  readonly rewindable: readonly string[];
  /** Readers that are rewound to a time. */
  readonly timeReaders: readonly TimeReader[];
  /** The positions of time readers that do not store checkpoints. Readers that have read nothing are omitted. */
  timePositions(): Promise<readonly { readonly reader: string; readonly position: string }[]>;
  /** Checkpoints of the read models' projectors, stored with the read models. */
  readModelCheckpoints(): Promise<readonly KeptCheckpoint[]>;
  /** The end of the log; undefined if it is empty, null if it is unknown. */
  head(): Promise<Position | undefined | null>;
  /** The first events of a stream, oldest first, or only the one with a revision; empty if it does not have them. */
  readStream(stream: string, revision?: number): Promise<readonly ShownEvent[]>;
  /** The event of a stream with this id, as `findEvent` finds it. */
  findEvent(stream: string, event: Pick<Recorded, 'id' | 'revision'>): Promise<Recorded | undefined>;
  /** The dead letters that the brokers still keep; absent without brokers. */
  deadLetters?(): Promise<readonly DeadLetter[]>;
  /** How this process executes a verb itself if no other process takes it; undefined if it cannot. */
  offlineDuty(verb: string): ((subject: OperatorAction['subject']) => Promise<OperatorOutcome>) | undefined;
  /** True if no process of the service can run at the same time, so that none is waited for. */
  readonly nothingRuns?: boolean;
  /** Encrypts the keys of subjects again under another master key; absent if this service holds no keys. */
  rewrapKeys?(): Promise<string>;
  /** Checks the whole log; absent if the store's own server does that. */
  checkLog?(): Promise<LogReport>;
  /**
   * Deletes the stored responses of idempotent requests; absent if the service stores none, or stores them in a file
   * that can be deleted.
   */
  forgetAnswers?(): Promise<void>;
  close(): Promise<void>;
}

const POLL_INTERVAL_MS = 100;
/** Running processes poll every two seconds. */
const TAKEN_WITHIN_MS = 5_000;
const ENDED_WITHIN_MS = 15 * 60_000;
/** Ctrl-C, and the end of a pod. */
const INTERRUPTIONS = ['SIGINT', 'SIGTERM'] as const;
const INTERRUPTED = 'it was interrupted before a process took it, so nothing was done';
const NONE_TOOK =
  'no process took it: none that can do this is running, or it is executing another action, which "actions" shows as ' +
  'open; start the service, or wait for that action, and repeat the command';

/**
 * Has an action executed by a running process that can do it or, if none takes it, by this process. Returns the
 * outcome. The action is recorded with the actor and the reason in any case. If the program is interrupted, an action
 * that no process has taken is withdrawn.
 */
export async function perform(
  tools: OperatorTools,
  verb: string,
  subject: OperatorAction['subject'],
  reason: OperatorReason,
  id = tools.ids.next(),
): Promise<OperatorOutcome> {
  const { actions } = tools.operator;
  const now = (): string => new Date(tools.systemClock.now()).toISOString();
  const offline = tools.offlineDuty(verb);
  const { isOurs, isInterrupted } = await interruptible(async (interrupted) => {
    await actions.ask({ id, verb, subject, ...reason, askedAt: now() });
    const isTaken = async (): Promise<boolean> => typeof (await actions.find(id))?.takenBy === 'string';
    const taken = await until(tools.nothingRuns ? 0 : TAKEN_WITHIN_MS, isTaken, interrupted);
    // Taking the action is exclusive, even if a process starts at this moment.
    const own = !taken && (await actions.take(id, offline ? `operator ${reason.actor}` : NO_PROCESS));
    if (own && interrupted.aborted) await actions.end(id, { succeeded: false, detail: INTERRUPTED }, now());
    return { isOurs: own, isInterrupted: interrupted.aborted };
  });
  if (isOurs && isInterrupted) throw new OperatorError(INTERRUPTED);
  if (isOurs) {
    const outcome = offline ? await offline(subject) : { succeeded: false, detail: NONE_TOOK };
    await actions.end(id, outcome, now());
    return outcome;
  }
  const ended = await until(
    isInterrupted ? 0 : ENDED_WITHIN_MS,
    async () => (await actions.find(id))?.outcome !== null,
  );
  const outcome = (await actions.find(id))?.outcome;
  if (!ended || !outcome)
    throw new OperatorError(
      `action ${id} was started and has not finished; "actions" and the log of its process show more, and it is ` +
        'safe to repeat the command',
    );
  return outcome;
}

/** Runs work with a signal that aborts at the first request to end the program meanwhile, instead of ending it. */
async function interruptible<T>(work: (interrupted: AbortSignal) => Promise<T>): Promise<T> {
  const interruption = new AbortController();
  const interrupt = (): void => interruption.abort();
  // A command may perform many actions at once; Node warns above a limit, which is 10 by default.
  process.setMaxListeners(process.getMaxListeners() + 1);
  for (const name of INTERRUPTIONS) process.once(name, interrupt);
  try {
    return await work(interruption.signal);
  } finally {
    for (const name of INTERRUPTIONS) process.off(name, interrupt);
    process.setMaxListeners(process.getMaxListeners() - 1);
  }
}

/** Runs work in this process and records it with actor and reason. An error is recorded and rethrown. */
export async function recorded(
  { operator: { actions }, systemClock, ids }: OperatorTools,
  verb: string,
  subject: OperatorAction['subject'],
  { actor, reason }: OperatorReason,
  work: () => Promise<string>,
): Promise<OperatorOutcome> {
  const now = () => new Date(systemClock.now()).toISOString();
  const id = ids.next();
  await actions.ask({ id, verb, subject, actor, reason, askedAt: now() });
  await actions.take(id, `operator ${actor}`);
  try {
    const outcome = { succeeded: true, detail: await work() };
    await actions.end(id, outcome, now());
    return outcome;
  } catch (error) {
    const detail = error instanceof OperatorError ? error.message : 'it did not finish; repeat the command';
    await actions.end(id, { succeeded: false, detail }, now());
    throw error;
  }
}

async function until(patienceMs: number, isDone: () => Promise<boolean>, stop?: AbortSignal): Promise<boolean> {
  for (let waited = 0; waited < patienceMs && !stop?.aborted; waited += POLL_INTERVAL_MS) {
    if (await isDone()) return true;
    await pause(POLL_INTERVAL_MS, stop);
  }
  return isDone();
}
