import { Inject } from '@nestjs/common';
import { CommandBus, CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import { lruCache } from '@ponte/kernel';
import type { RequestContext } from '@ponte/event-sourcing';
import type { Metrics } from '@ponte/observability';
import { METRICS, PayloadCommand } from '@ponte/nest';
import type { LRUCache } from 'lru-cache';
import { TakeBackDepositCommand } from '../deposit/take-back-deposit.command';
import { BankPolls } from '../payouts/bank-polls';
import type { BankPage } from '../payouts/bank-window';
import type { PixCharges } from './pix-charges.port';
import { PIX_CHARGES } from './pix-charges.port';
import { ReceivePixCommand } from './receive-pix.command';

/** Polls the bank for payments since the last poll, because its callbacks may be late or lost. */
export class PollReceivedPixCommand extends PayloadCommand<{ readonly fence: number }> {}

/** Stores the time up to which the bank was polled. */
export const RECEIVED_PIX_READER = 'ledger-received-pix';
/** A payment may appear at the bank shortly after its settlement time. */
const POLL = { reader: RECEIVED_PIX_READER, overlapMs: 60_000 } as const;
/** How many known payments are remembered, so that the overlap costs nothing. */
const REMEMBERED = 50_000;

@CommandHandler(PollReceivedPixCommand)
export class PollReceivedPixHandler implements ICommandHandler<PollReceivedPixCommand> {
  /** Payments that failed in the last poll. */
  private failed = 0;
  private readonly received = lruCache<string, true>(REMEMBERED);
  private readonly takenBack = lruCache<string, true>(REMEMBERED);

  constructor(
    private readonly commands: CommandBus,
    private readonly polls: BankPolls,
    @Inject(PIX_CHARGES) private readonly rail: PixCharges,
    @Inject(METRICS) metrics: Metrics,
  ) {
    metrics.measure('ponte_pix_not_taken_in', async () => [{ value: this.failed }]);
  }

  async execute({ payload: { fence }, context }: PollReceivedPixCommand): Promise<void> {
    this.failed = await this.polls.look({ ...POLL, fence }, async (window) => {
      const received = await this.polls.pages(
        async (page) => without(this.received, await this.rail.listReceived({ ...window, page })),
        (endToEndId) => this.receive(endToEndId, context),
        context,
      );
      // Runs after the received payments, so that a payment that came and was taken back within one window is already
      // known.
      const takenBack = await this.polls.pages(
        async (page) => without(this.takenBack, await this.rail.listTakenBack({ ...window, page })),
        (endToEndId) => this.takeBack(endToEndId, context),
        context,
      );
      return received + takenBack;
    });
  }

  private async takeBack(endToEndId: string, context: RequestContext): Promise<void> {
    await this.receive(endToEndId, context);
    await this.commands.execute(new TakeBackDepositCommand({ endToEndId }, context));
    this.takenBack.set(endToEndId, true);
  }

  private async receive(endToEndId: string, context: RequestContext): Promise<void> {
    const { depositId } = await this.commands.execute(new ReceivePixCommand({ endToEndId }, context));
    if (depositId !== null) this.received.set(endToEndId, true);
  }
}

const without = (known: LRUCache<string, true>, { ids, lastPage }: BankPage): BankPage => ({
  ids: ids.filter((id) => !known.has(id)),
  lastPage,
});
