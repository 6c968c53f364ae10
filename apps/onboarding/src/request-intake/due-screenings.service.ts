import { Inject, Injectable } from '@nestjs/common';
import type { RequestContext } from '@ponte/event-sourcing';
import { logged, safeError, systemContext } from '@ponte/event-sourcing';
import type { Clock, Ids } from '@ponte/kernel';
import { addSeconds, derivedId, isoTime, lruCache } from '@ponte/kernel';
import { CLOCK, IDS, LOGGER } from '@ponte/nest';
import type { Logger } from 'pino';
import type { OpenRequest } from '../account-request/account-request.state';
import { isOpenRequest } from '../account-request/account-request.state';
import { AccountRequests } from '../account-request/account-requests.service';
import type { DueRequest } from '../review/review-queue.read-model';
import { ReviewQueue } from '../review/review-queue.read-model';
import { LIVENESS_PATIENCE_SECONDS } from '../account-request/due.domain';
import { LivenessSessions } from '../liveness/liveness-sessions.service';
import { DueTurns, keyOf, REMEMBERED } from './due-turns';
import { providerOf, ScreeningQueue } from './screening-queue.service';

/** The largest number of requests per pass; the rest is left to the next pass. */
const BATCH = 200;

/**
 * Screens requests whose screening did not end in time, and gives those whose liveness provider has not decided within
 * a day to staff. A pass does not wait for vendors. Runs on one process at a time.
 */
@Injectable()
export class DueScreenings {
  private readonly turns: DueTurns;
  /**
   * The provider of each due request, which tells without reading the request whether there is room for it. A request
   * that became due again may name another provider.
   */
  private readonly providers = lruCache<string, string>(REMEMBERED);

  constructor(
    private readonly requests: AccountRequests,
    private readonly sessions: LivenessSessions,
    private readonly screenings: ScreeningQueue,
    queue: ReviewQueue,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(IDS) private readonly ids: Ids,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {
    this.turns = new DueTurns(queue, 'screening');
  }

  /** Makes one pass. */
  async run(signal: AbortSignal): Promise<void> {
    const context = systemContext(this.ids, 'onboarding-due-screenings');
    let left = BATCH;
    for (const due of await this.turns.next(this.clock.now())) {
      if (signal.aborted || left === 0) return;
      const provider = this.providers.get(keyOf(due));
      if (provider !== undefined && !this.mayGiveUp(due) && !this.screenings.hasRoom(provider, 'retried')) continue;
      left -= 1;
      const own = { ...context, commandId: derivedId('due-screening', context.commandId, due.id) };
      await this.advance(due, own).catch((error: unknown) => this.failed(due, own, error));
    }
  }

  private async advance(due: DueRequest, context: RequestContext): Promise<void> {
    const state = await this.requests.load(due.id);
    if (!isOpenRequest(state) || state.stage !== 'screening') return this.turns.end(due, this.clock.now());
    this.providers.set(keyOf(due), providerOf(state));
    const mayGiveUp = this.mayGiveUp(due);
    if (mayGiveUp && (await this.giveUp(state, context))) return;
    const tried = this.screenings.add(state, 'retried', context);
    if (!tried) {
      // It keeps its turn, unless giving it up was tried: that would take the place of another one in every pass.
      if (mayGiveUp) this.turns.end(due, this.clock.now());
      return;
    }
    this.turns.begin(due, this.clock.now());
    tried
      .then(async () => {
        this.turns.end(due, this.clock.now());
        if (this.isOver(due)) await this.giveUp(state, context);
      })
      .catch((error: unknown) => this.failed(due, context, error));
  }

  private isOver({ since }: DueRequest): boolean {
    return isoTime(this.clock.now()) >= addSeconds(since, LIVENESS_PATIENCE_SECONDS);
  }

  /** Not before a try, because the provider may not have been asked while the service was down. */
  private mayGiveUp(due: DueRequest): boolean {
    return this.isOver(due) && this.turns.hasTried(due);
  }

  /**
   * Gives a request whose provider has not decided to staff, unless one of its people was not screened yet. Its session
   * is named before, so that the case shows who shares it.
   *
   * @returns whether the request has left screening
   */
  private async giveUp(state: OpenRequest, context: RequestContext): Promise<boolean> {
    const { requestId } = state.terms;
    await this.sessions.nameFor(state, context);
    const commandId = derivedId('give-up-waiting', context.commandId);
    const own = { ...context, commandId };
    const { stage } = await this.requests.move(requestId, (at) => ({ kind: 'give-up-waiting', at }), own);
    return stage !== 'screening';
  }

  private failed(due: DueRequest, context: RequestContext, error: unknown): void {
    this.turns.end(due, this.clock.now());
    const facts = { ...logged(context), id: due.id, error: safeError(error) };
    this.logger.warn(facts, 'a due screening failed; it will be retried');
  }
}
