import { retry } from '@ponte/concurrency';
import type { OperatorAction, OperatorActions, OperatorOutcome } from '@ponte/event-sourcing';
import { ReleaseRefused } from '@ponte/event-sourcing';
import { EventLogDamaged } from '@ponte/eventstore-sqlite';
import { Refusal, Unavailable } from '@ponte/kernel';
import type { Clock } from '@ponte/kernel';
import type { Logger } from 'pino';

/** Attempts to report a result; they take about a quarter of a minute. */
const TRIES = 20;

/** A program that has not ended withdraws its action much sooner. The limit allows for clocks that differ. */
const EXPIRES_AFTER_SECONDS = 60;

type Subject = OperatorAction['subject'];

/** How a process executes one kind of action. */
export interface OperatorDuty {
  /** Set if it only reads. Its outcome is data for an operator's program, and is not logged. */
  readonly isRead?: true;
  /** Whether this process can: for a lease only its holder, for a parked stream only a consumer of the group. */
  can(subject: Subject): boolean;
  /** Returns what was done. Throws {@link OperatorError} or any other error on failure. */
  carryOut(subject: Subject, signal: AbortSignal, action?: Pick<OperatorAction, 'actor' | 'reason'>): Promise<string>;
}

/** An error whose message may be shown to operators. */
export class OperatorError extends Error {
  override readonly name = 'OperatorError';
}

/** Who takes an action that no process executes. */
export const NO_PROCESS = 'unknown';

/** Ends an action that no process took in time, because its program ended without withdrawing it. */
const EXPIRED: OperatorDuty = {
  can: () => true,
  async carryOut() {
    throw new OperatorError(
      `no process executed it within ${EXPIRES_AFTER_SECONDS} seconds, so nothing was done; repeat the command`,
    );
  },
};

interface ActionRunnerOptions {
  readonly actions: OperatorActions;
  /** Name under which this process takes actions. */
  readonly instance: string;
  readonly systemClock: Clock;
  readonly logger: Logger;
  /** The open actions, if several runners share a query. Default: `actions.open`. */
  readonly open?: () => Promise<readonly OperatorAction[]>;
  /** Further duties by verb, which services add while they start. */
  readonly duties?: ReadonlyMap<string, OperatorDuty>;
}

/**
 * Executes operators' actions in a running process. Each action is taken by one process. Its outcome is stored
 * together with the actor and the reason.
 */
export class ActionRunner {
  private readonly duties = new Map<string, OperatorDuty>();

  constructor(private readonly options: ActionRunnerOptions) {}

  /** Adds verbs to this runner. */
  serve(duties: Readonly<Record<string, OperatorDuty>>): this {
    for (const [verb, duty] of Object.entries(duties)) this.duties.set(verb, duty);
    return this;
  }

  /** Reads the open actions once, executes those that this process can, and ends those that have expired. */
  async executeOpen(signal: AbortSignal): Promise<void> {
    const { actions, instance, open = () => actions.open() } = this.options;
    for (const action of await open()) {
      const duty = this.dutyFor(action);
      if (signal.aborted) return;
      // Another runner of this process may have taken an expired one meanwhile, under the name of the process.
      const by = duty === EXPIRED ? NO_PROCESS : instance;
      if (duty?.can(action.subject) && (await actions.take(action.id, by))) await this.carryOut(action, duty, signal);
    }
  }

  private dutyFor({ verb, askedAt }: OperatorAction): OperatorDuty | undefined {
    const { systemClock, duties } = this.options;
    if (systemClock.now() - Date.parse(askedAt) > EXPIRES_AFTER_SECONDS * 1_000) return EXPIRED;
    return this.duties.get(verb) ?? duties?.get(verb);
  }

  private async carryOut(action: OperatorAction, duty: OperatorDuty, signal: AbortSignal): Promise<void> {
    const { actions, systemClock, logger } = this.options;
    const outcome = await outcomeOf(duty, action.subject, signal, action);
    const { id, verb, subject, actor, reason } = action;
    const { succeeded, detail } = outcome;
    logger[succeeded ? 'info' : 'error'](
      { action: id, verb, subject, actor, reason, succeeded, ...(duty.isRead && succeeded ? {} : { detail }) },
      'an operator action has ended',
    );
    const at = new Date(systemClock.now()).toISOString();
    // Retried, so that the result is reported even if the database is unavailable for a moment.
    await retry(() => actions.end(id, outcome, at), { signal, shouldRetry: (_, failures) => failures < TRIES });
  }
}

/** Executes a duty and returns the outcome; never throws. */
export async function outcomeOf(
  duty: OperatorDuty,
  subject: Subject,
  signal: AbortSignal,
  action?: Pick<OperatorAction, 'actor' | 'reason'>,
): Promise<OperatorOutcome> {
  try {
    return { succeeded: true, detail: await duty.carryOut(subject, signal, action) };
  } catch (error) {
    return { succeeded: false, detail: faultText(error) };
  }
}

/** Messages of other errors may quote their input, so only their names are shown. */
export function faultText(error: unknown): string {
  if (
    error instanceof OperatorError ||
    error instanceof ReleaseRefused ||
    error instanceof EventLogDamaged ||
    error instanceof Refusal ||
    error instanceof Unavailable
  )
    return error.message;
  return `${error instanceof Error ? error.name : typeof error}; see the log of the process`;
}
