import { retry } from '@ponte/concurrency';
import type { OperatorAction, OperatorActions, OperatorOutcome } from '@ponte/event-sourcing';
import { EventLogDamaged } from '@ponte/eventstore-sqlite';
import { Refusal, Unavailable } from '@ponte/kernel';
import type { Clock } from '@ponte/kernel';
import type { Logger } from 'pino';

/** Of the report of a result: about a quarter of a minute. */
const TRIES = 20;

type Subject = OperatorAction['subject'];

/** How a process carries out one kind of action. */
export interface OperatorDuty {
  /** Whether this process can: of a lease its holder alone, of a parked stream a consumer of the group. */
  can(subject: Subject): boolean;
  /** Answers what happened. Throws {@link OperatorError}, or anything, when it did not. */
  carryOut(subject: Subject, signal: AbortSignal): Promise<string>;
}

/** An error whose message an operator may see. */
export class OperatorError extends Error {
  override readonly name = 'OperatorFault';
}

export interface OperatorDeskOptions {
  readonly actions: OperatorActions;
  /** Names this process as the one that took an action. */
  readonly instance: string;
  readonly systemClock: Clock;
  readonly logger: Logger;
  /** What is open, where several desks share one look; else `actions` is asked. */
  readonly open?: () => Promise<readonly OperatorAction[]>;
  /** Verbs that services add while they start. */
  readonly duties?: ReadonlyMap<string, OperatorDuty>;
}

/**
 * Carries out in a running process what operators ask of it. Each action is taken by one process, and how it ended is
 * kept with who asked and why.
 */
export class OperatorDesk {
  private readonly duties = new Map<string, OperatorDuty>();

  constructor(private readonly options: OperatorDeskOptions) {}

  /** The verbs of this desk. */
  serve(duties: Readonly<Record<string, OperatorDuty>>): this {
    for (const [verb, duty] of Object.entries(duties)) this.duties.set(verb, duty);
    return this;
  }

  /** Looks once at what is asked, and carries out what this process can. */
  async look(signal: AbortSignal): Promise<void> {
    const { actions, open = () => actions.open() } = this.options;
    for (const action of await open()) {
      const duty = this.duties.get(action.verb) ?? this.options.duties?.get(action.verb);
      if (signal.aborted) return;
      if (duty?.can(action.subject) && (await this.options.actions.take(action.id, this.options.instance)))
        await this.carryOut(action, duty, signal);
    }
  }

  private async carryOut(action: OperatorAction, duty: OperatorDuty, signal: AbortSignal): Promise<void> {
    const { actions, systemClock, logger } = this.options;
    const outcome = await outcomeOf(duty, action.subject, signal);
    const { id, verb, subject, actor, reason } = action;
    logger[outcome.succeeded ? 'info' : 'error'](
      { action: id, verb, subject, actor, reason, ...outcome },
      'an operator command was received',
    );
    const at = new Date(systemClock.now()).toISOString();
    // The result is reported even if the database is unavailable for a moment.
    await retry(() => actions.end(id, outcome, at), { signal, shouldRetry: (_, failures) => failures < TRIES });
  }
}

/** Carries out, and tells how it ended; never throws. */
export async function outcomeOf(duty: OperatorDuty, subject: Subject, signal: AbortSignal): Promise<OperatorOutcome> {
  try {
    return { succeeded: true, detail: await duty.carryOut(subject, signal) };
  } catch (error) {
    return { succeeded: false, detail: faultText(error) };
  }
}

/** The messages of others may quote what they choked on, so only their names are shown. */
export function faultText(error: unknown): string {
  if (
    error instanceof OperatorError ||
    error instanceof EventLogDamaged ||
    error instanceof Refusal ||
    error instanceof Unavailable
  )
    return error.message;
  return `${error instanceof Error ? error.name : typeof error}; see the log of the process`;
}
