import { Inject } from '@nestjs/common';
import { CommandBus, CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import { Unavailable, lruCache } from '@ponte/kernel';
import type { RequestContext } from '@ponte/event-sourcing';
import { PayloadCommand } from '@ponte/nest';
import type { PollRun } from '../payouts/bank-polls.service';
import { BankPolls } from '../payouts/bank-polls.service';
import type { BankList } from '../payouts/bank-reading';
import { isEndToEndId } from './end-to-end-id.domain';
import { MalformedIds } from './malformed-ids.service';
import type { PixCharges } from './pix-charges.port';
import { PIX_CHARGES } from './pix-charges.port';
import { ReceivePixCommand } from './receive-pix.command';

/** Polls the bank for payments since the last poll, because its callbacks may be late or lost. */
export class PollReceivedPixCommand extends PayloadCommand<PollRun> {}

/** Stores the time up to which the bank was polled. */
export const RECEIVED_PIX_READER = 'ledger-received-pix';
/** How many known payments are remembered, so that the overlap costs nothing. */
const REMEMBERED = 50_000;

@CommandHandler(PollReceivedPixCommand)
export class PollReceivedPixHandler implements ICommandHandler<PollReceivedPixCommand> {
  private readonly received = lruCache<string, true>(REMEMBERED);

  constructor(
    private readonly commands: CommandBus,
    private readonly polls: BankPolls,
    private readonly malformed: MalformedIds,
    @Inject(PIX_CHARGES) private readonly rail: PixCharges,
  ) {}

  async execute({ payload, context }: PollReceivedPixCommand): Promise<void> {
    const list: BankList = {
      page: (window) => this.rail.listReceived(window),
      // An entry with a malformed id can never be recorded, so it is reported and must not hold up the poll.
      record: async (id) =>
        isEndToEndId(id) ? this.receive(id, context) : this.malformed.report('received', id, context),
    };
    const { listPeriodMs: periodMs = Infinity } = this.rail;
    await this.polls.poll({ ...payload, reader: RECEIVED_PIX_READER, lists: [list], periodMs }, context);
  }

  private async receive(endToEndId: string, context: RequestContext): Promise<void> {
    if (this.received.has(endToEndId)) return;
    const { depositId } = await this.commands.execute(new ReceivePixCommand({ endToEndId }, context));
    // The bank lists a payment that it does not return. The entry fails until it does, so that the payment is not lost.
    if (depositId === null) throw new Unavailable('rail-unavailable');
    this.received.set(endToEndId, true);
  }
}
