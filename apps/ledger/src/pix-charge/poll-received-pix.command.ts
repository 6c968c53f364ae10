import { Inject } from '@nestjs/common';
import { CommandBus, CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import type { Checkpoints, RequestContext } from '@ponte/event-sourcing';
import { logged } from '@ponte/event-sourcing';
import type { Clock } from '@ponte/kernel';
import { fromIso, isoTime, Unavailable } from '@ponte/kernel';
import type { Metrics } from '@ponte/observability';
import { CHECKPOINTS, CLOCK, LOGGER, METRICS, PayloadCommand } from '@ponte/nest';
import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import type { PixCharges } from './pix-charges.port';
import { PIX_CHARGES } from './pix-charges.port';
import { each } from '../each';
import { ReceivePixCommand } from './receive-pix.command';
import { TakeBackDepositCommand } from '../deposit/take-back-deposit.command';

/** Asks the bank what has come since the last look: the net under callbacks that are late or lost. */
export class PollReceivedPixCommand extends PayloadCommand<{ readonly fence: number }> {}

/** Keeps the time up to which the bank was asked. */
export const RECEIVED_PIX_READER = 'ledger-received-pix';
/** A payment may show at the bank a little after the time it was settled at. */
const OVERLAP_MS = 60_000;
/** The bank's clock may go before ours. */
const AHEAD_MS = 60_000;
/** Where the first look of all begins. */
const FIRST_LOOK_BACK_MS = 24 * 60 * 60 * 1000;
/** Payments known to be received, so that the overlap costs nothing. */
const REMEMBERED = 50_000;
/** A million payments in one look: more is a fault of the bank's paging. */
const MAX_PAGES = 1_000;

@CommandHandler(PollReceivedPixCommand)
export class PollReceivedPixHandler implements ICommandHandler<PollReceivedPixCommand> {
  /** Payments that failed at the last look. */
  private failed = 0;
  private readonly received = new LRUCache<string, true>({ max: REMEMBERED });
  private readonly takenBack = new LRUCache<string, true>({ max: REMEMBERED });

  constructor(
    private readonly commands: CommandBus,
    @Inject(PIX_CHARGES) private readonly rail: PixCharges,
    @Inject(CHECKPOINTS) private readonly checkpoints: Checkpoints,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
    @Inject(METRICS) metrics: Metrics,
  ) {
    metrics.measure('ponte_pix_not_taken_in', async () => [{ value: this.failed }]);
  }

  /**
   * Every page is read although some payments fail; the mark moves only after everything in the window has been taken
   * in, so what failed is tried again at each look. An outage ends the look.
   */
  async execute({ payload: { fence }, context }: PollReceivedPixCommand): Promise<void> {
    const now = this.clock.now();
    const mark = await this.checkpoints.load(RECEIVED_PIX_READER);
    const since = mark === undefined ? now - FIRST_LOOK_BACK_MS : Math.min(fromIso(mark), now) - OVERLAP_MS;
    const window = { from: isoTime(since), to: isoTime(now + AHEAD_MS) };
    const received = await this.pages(
      (page) => this.rail.listReceived({ ...window, page }),
      this.received,
      (endToEndId) => this.receive(endToEndId, context),
      context,
    );
    // After what has come: a payment that came and was taken back within one window is known by then.
    const takenBack = await this.pages(
      (page) => this.rail.listTakenBack({ ...window, page }),
      this.takenBack,
      (endToEndId) => this.takeBack(endToEndId, context),
      context,
    );
    this.failed = received + takenBack;
    if (this.failed === 0) await this.checkpoints.save(RECEIVED_PIX_READER, isoTime(now), fence);
  }

  /** Answers how many of them could not be taken in. */
  private async pages(
    list: (page: number) => ReturnType<PixCharges['listReceived']>,
    known: LRUCache<string, true>,
    work: (endToEndId: string) => Promise<void>,
    context: RequestContext,
  ): Promise<number> {
    let failed = 0;
    for (let page = 0; page < MAX_PAGES; page += 1) {
      const { endToEndIds, lastPage } = await list(page);
      await each(
        endToEndIds.filter((endToEndId) => !known.has(endToEndId)),
        async (endToEndId) => {
          if (!(await this.doneOrPoison(endToEndId, () => work(endToEndId), context))) failed += 1;
        },
      );
      if (lastPage) return failed;
    }
    throw new Error('the list of payments does not end');
  }

  private async takeBack(endToEndId: string, context: RequestContext): Promise<void> {
    await this.receive(endToEndId, context);
    await this.commands.execute(new TakeBackDepositCommand({ endToEndId }, context));
    this.takenBack.set(endToEndId, true);
  }

  /** False when this one payment cannot be taken in: a person has to look, and the others go on. */
  private async doneOrPoison(endToEndId: string, work: () => Promise<void>, context: RequestContext): Promise<boolean> {
    try {
      await work();
      return true;
    } catch (error) {
      if (error instanceof Unavailable) throw error;
      this.logger.error(
        { ...logged(context), endToEndId, failure: error instanceof Error ? error.name : typeof error },
        'a received payment cannot be taken in; it is tried again at each look',
      );
      return false;
    }
  }

  private async receive(endToEndId: string, context: RequestContext): Promise<void> {
    const { depositId } = await this.commands.execute(new ReceivePixCommand({ endToEndId }, context));
    if (depositId !== null) this.received.set(endToEndId, true);
  }
}
