import { Inject } from '@nestjs/common';
import { Command, CommandBus, CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import type { Checkpoints, RequestContext } from '@ponte/event-sourcing';
import type { Clock } from '@ponte/kernel';
import { fromIso, isoTime } from '@ponte/kernel';
import { CHECKPOINTS, CLOCK } from '@ponte/nest';
import { LRUCache } from 'lru-cache';
import type { PixCharges } from '../ports/pix-charges';
import { PIX_CHARGES } from '../ports/pix-charges';
import { each } from './each';
import { ReceivePixCommand } from './receive-pix';
import { TakeBackDepositCommand } from './take-back-deposit';

/** Asks the bank what has come since the last look: the net under callbacks that are late or lost. */
export class PollReceivedPixCommand extends Command<void> {
  constructor(readonly context: RequestContext, readonly fence: number) { super(); }
}

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
  private readonly received = new LRUCache<string, true>({ max: REMEMBERED });
  private readonly takenBack = new LRUCache<string, true>({ max: REMEMBERED });

  constructor(
    private readonly commands: CommandBus,
    @Inject(PIX_CHARGES) private readonly rail: PixCharges,
    @Inject(CHECKPOINTS) private readonly checkpoints: Checkpoints,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /** The mark moves only after everything in the window has been taken in. */
  async execute({ context, fence }: PollReceivedPixCommand): Promise<void> {
    const now = this.clock.now();
    const mark = await this.checkpoints.load(RECEIVED_PIX_READER);
    const since = mark === undefined ? now - FIRST_LOOK_BACK_MS : Math.min(fromIso(mark), now) - OVERLAP_MS;
    const window = { from: isoTime(since), to: isoTime(now + AHEAD_MS) };
    await this.pages((page) => this.rail.listReceived({ ...window, page }), (endToEndId) => this.receive(endToEndId, context), this.received);
    // After what has come: a payment that came and was taken back within one window is known by then.
    await this.pages((page) => this.rail.listTakenBack({ ...window, page }), (endToEndId) => this.takeBack(endToEndId, context), this.takenBack);
    await this.checkpoints.save(RECEIVED_PIX_READER, isoTime(now), fence);
  }

  private async pages(list: (page: number) => ReturnType<PixCharges['listReceived']>, work: (endToEndId: string) => Promise<void>, known: LRUCache<string, true>): Promise<void> {
    for (let page = 0; page < MAX_PAGES; page += 1) {
      const { endToEndIds, lastPage } = await list(page);
      await each(endToEndIds.filter((endToEndId) => !known.has(endToEndId)), work);
      if (lastPage) return;
    }
    throw new Error('the list of payments does not end');
  }

  private async takeBack(endToEndId: string, context: RequestContext): Promise<void> {
    await this.receive(endToEndId, context);
    await this.commands.execute(new TakeBackDepositCommand(endToEndId, context));
    this.takenBack.set(endToEndId, true);
  }

  private async receive(endToEndId: string, context: RequestContext): Promise<void> {
    const { depositId } = await this.commands.execute(new ReceivePixCommand(endToEndId, context));
    if (depositId !== null) this.received.set(endToEndId, true);
  }
}
