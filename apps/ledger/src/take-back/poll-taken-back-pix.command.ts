import { Inject } from '@nestjs/common';
import { CommandBus, CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import type { RequestContext } from '@ponte/event-sourcing';
import { logged } from '@ponte/event-sourcing';
import type { Clock } from '@ponte/kernel';
import { Unavailable, lruCache } from '@ponte/kernel';
import { CLOCK, LOGGER, PayloadCommand } from '@ponte/nest';
import type { Logger } from 'pino';
import type { PollRun } from '../payouts/bank-polls.service';
import { BankPolls } from '../payouts/bank-polls.service';
import type { BankPage, BankWindow } from '../payouts/bank-window';
import { isEndToEndId, timeOfEndToEndId } from '../pix-charge/end-to-end-id.domain';
import { MalformedIds } from '../pix-charge/malformed-ids.service';
import type { PixCharges } from '../pix-charge/pix-charges.port';
import { PIX_CHARGES } from '../pix-charge/pix-charges.port';
import { ReceivePixCommand } from '../pix-charge/receive-pix.command';
import { TakeBackDepositCommand } from './take-back-deposit.command';

/**
 * Polls the bank for received payments that it took back (MED). Has a reader of its own, so that received payments are
 * credited even while this list cannot be read.
 */
export class PollTakenBackPixCommand extends PayloadCommand<PollRun> {}

/** Stores the time up to which the bank was polled. */
export const TAKEN_BACK_PIX_READER = 'ledger-taken-back-pix';
/**
 * The time from one read to the next if the bank lists by the time of the payment: then each read goes back months, and
 * costs a request for each period and page, however little is new.
 */
const LOOK_BACK_EVERY_MS = 5 * 60_000;
/** A payment may be this much newer than its id says, or its clock wrong by as much. */
const MARGIN_MS = 86_400_000;
/** How many take-backs are remembered, so that reading them again costs nothing. */
const REMEMBERED = 50_000;

/** The bank took the payment back, but it cannot be read how much of it, or when. */
class UnreadableTakeBack extends Error {
  override readonly name = 'UnreadableTakeBack';
}

@CommandHandler(PollTakenBackPixCommand)
export class PollTakenBackPixHandler implements ICommandHandler<PollTakenBackPixCommand> {
  private readonly takenBack = lruCache<string, true>(REMEMBERED);
  /** The entries that could not be read. `corrected`: the bank now lists no take-back of the whole payment. */
  private readonly unread = new Map<string, 'unreadable' | 'corrected'>();
  /** Those of them that the read in progress has listed as unreadable. */
  private readonly listed = new Set<string>();

  constructor(
    private readonly commands: CommandBus,
    private readonly polls: BankPolls,
    private readonly malformed: MalformedIds,
    @Inject(PIX_CHARGES) private readonly rail: PixCharges,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async execute({ payload, context }: PollTakenBackPixCommand): Promise<void> {
    const { listPeriodMs: periodMs = Infinity, takeBackLookBackMs: lookBackMs } = this.rail;
    // Every read goes back far enough for late entries.
    if (payload.late && lookBackMs !== undefined) return;
    const list = {
      page: (window: BankWindow) => this.page(window),
      record: async (id: string) =>
        isEndToEndId(id) ? this.takeBack(id, context) : this.malformed.report('taken-back', id, context),
    };
    const everyMs = lookBackMs === undefined ? 0 : LOOK_BACK_EVERY_MS;
    const about = { reader: TAKEN_BACK_PIX_READER, lists: [list], periodMs, everyMs } as const;
    // A shorter look-back would list only the latest entries.
    const farBack = lookBackMs !== undefined && { lookBackMs, ended: () => this.endUnlisted(lookBackMs, context) };
    await this.polls.poll({ ...payload, ...about, ...farBack }, context);
  }

  /**
   * Ends the unreadable entries that the read did not list: the bank no longer has them, or their payments are older
   * than what is read. In the second case the money stays in a balance, so staff have to settle it.
   */
  private endUnlisted(lookBackMs: number, context: RequestContext): void {
    const readFrom = this.clock.now() - lookBackMs;
    for (const [endToEndId, unread] of this.unread) {
      if (this.listed.has(endToEndId)) continue;
      if (unread === 'unreadable' && timeOfEndToEndId(endToEndId) < readFrom + MARGIN_MS)
        this.logger.error(
          { ...logged(context), endToEndId },
          'a take-back that could not be read is too old to be read again: staff must settle it',
        );
      this.unread.set(endToEndId, 'corrected');
    }
    this.listed.clear();
  }

  /** An unreadable entry fails, and is reported, until the bank lists it in a form that can be read or not at all. */
  private async page(window: BankWindow): Promise<BankPage> {
    const { ids, unreadable = [], ...page } = await this.rail.listTakenBack(window);
    for (const id of page.listed ?? []) if (this.unread.has(id)) this.unread.set(id, 'corrected');
    for (const id of ids) this.unread.delete(id);
    for (const id of unreadable) {
      this.unread.set(id, 'unreadable');
      this.listed.add(id);
    }
    return { ...page, ids: [...ids, ...unreadable] };
  }

  /** The payment may not be known yet: its callback may be lost, and received payments are read separately. */
  private async takeBack(endToEndId: string, context: RequestContext): Promise<void> {
    const unread = this.unread.get(endToEndId);
    if (this.takenBack.has(endToEndId) || unread === 'corrected') {
      this.unread.delete(endToEndId);
      return;
    }
    if (unread === 'unreadable') throw new UnreadableTakeBack('the take-back of the payment cannot be read');
    const { depositId } = await this.commands.execute(new ReceivePixCommand({ endToEndId }, context));
    if (depositId === null) throw new Unavailable('rail-unavailable');
    await this.commands.execute(new TakeBackDepositCommand({ endToEndId }, context));
    this.takenBack.set(endToEndId, true);
  }
}
