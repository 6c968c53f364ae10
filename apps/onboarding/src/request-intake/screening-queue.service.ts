import type { OnApplicationShutdown } from '@nestjs/common';
import { Inject, Injectable } from '@nestjs/common';
import { CommandBus } from '@nestjs/cqrs';
import { Semaphore, settledWithin } from '@ponte/concurrency';
import type { RequestContext } from '@ponte/event-sourcing';
import { logged, safeError } from '@ponte/event-sourcing';
import { Unavailable } from '@ponte/kernel';
import { LOGGER } from '@ponte/nest';
import type { Logger } from 'pino';
import type { OpenRequest } from '../account-request/account-request.state';
import { ScreenRequestCommand } from '../screening/screen-request.command';

/**
 * How many requests that name one liveness provider are screened at once. It limits the calls to vendors: searches of
 * local lists take turns anyway.
 */
const AT_ONCE = 16;
/** How many requests that name one provider may be in the queue. Those of the timer leave room for new requests. */
export const MAX_IN_QUEUE = { new: 1_000, retried: 200 } as const;
/** How long a stop waits for the requests that are being screened, in milliseconds. */
const STOP_MS = 10_000;

/** The requests of one provider. */
interface ProviderQueue {
  readonly places: Semaphore;
  /** Including those that are being screened. */
  inQueue: number;
}

/**
 * Screens requests outside the consumer of events and outside the timers, so that a vendor that does not answer holds
 * up only requests that need it: each liveness provider has places of its own. What is in the queue when the process
 * ends is screened by the timer.
 */
@Injectable()
export class ScreeningQueue implements OnApplicationShutdown {
  private readonly queues = new Map<string, ProviderQueue>();
  /** By request and round. */
  private readonly inProgress = new Map<string, Promise<void>>();
  private stopping = false;

  constructor(
    private readonly commands: CommandBus,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Whether the process stops, so that the queue accepts nothing. */
  get isStopping(): boolean {
    return this.stopping;
  }

  /** Whether the queue accepts another request of this provider ({@link providerOf}). */
  hasRoom(provider: string, kind: keyof typeof MAX_IN_QUEUE): boolean {
    return !this.isStopping && (this.queues.get(provider)?.inQueue ?? 0) < MAX_IN_QUEUE[kind];
  }

  /**
   * Adds the current screening round of the request. A round that is in the queue already is not added twice.
   *
   * @returns undefined if there is no room, or the process stops. Otherwise settles once the round was tried, and never
   *   rejects: a failure is logged, and the request stays due
   */
  add(state: OpenRequest, kind: keyof typeof MAX_IN_QUEUE, context: RequestContext): Promise<void> | undefined {
    const { requestId } = state.terms;
    const key = `${requestId} ${state.round}`;
    const found = this.inProgress.get(key);
    if (found) return found;
    const provider = providerOf(state);
    if (!this.hasRoom(provider, kind)) return undefined;
    const tried = this.inQueueOf(provider, () => this.screen(requestId, context)).finally(() =>
      this.inProgress.delete(key),
    );
    this.inProgress.set(key, tried);
    return tried;
  }

  /** Runs before the engines close. */
  async onApplicationShutdown(): Promise<void> {
    this.stopping = true;
    await settledWithin(STOP_MS, Promise.all(this.inProgress.values()));
  }

  private async inQueueOf(provider: string, work: () => Promise<void>): Promise<void> {
    const queue = this.queues.get(provider) ?? { places: new Semaphore(AT_ONCE), inQueue: 0 };
    this.queues.set(provider, queue);
    queue.inQueue += 1;
    try {
      await queue.places.pass(work);
    } finally {
      queue.inQueue -= 1;
      if (queue.inQueue === 0) this.queues.delete(provider);
    }
  }

  private async screen(requestId: string, context: RequestContext): Promise<void> {
    if (this.isStopping) return;
    try {
      await this.commands.execute(new ScreenRequestCommand({ requestId }, context));
    } catch (error) {
      const facts = { ...logged(context), requestId, error: safeError(error) };
      const message = 'a request could not be screened now; a timer retries it';
      if (error instanceof Unavailable) this.logger.warn(facts, message);
      else this.logger.error(facts, message);
    }
  }
}

/** The liveness provider that the request names; empty in reliance mode, which names none. */
export const providerOf = ({ parts: { liveness } }: Pick<OpenRequest, 'parts'>): string => liveness?.provider ?? '';
