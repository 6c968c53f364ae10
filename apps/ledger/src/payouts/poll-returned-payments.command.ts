import { Inject } from '@nestjs/common';
import { CommandBus, CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import type { Checkpoints } from '@ponte/event-sourcing';
import type { Clock } from '@ponte/kernel';
import { fromIso, isoTime } from '@ponte/kernel';
import { CHECKPOINTS, CLOCK, PayloadCommand } from '@ponte/nest';
import { each } from '../each';
import { asked } from './rail';
import { PAYOUTS } from './payouts.port';
import type { Payouts } from './payouts.port';
import { ReceiveReturnedPaymentCommand } from './receive-returned-payment.command';

/** Asks the bank which payments came back since the last look, beside its notices. */
export class PollReturnedPaymentsCommand extends PayloadCommand<{ readonly fence: number }> {}

/** Keeps the time up to which the bank was asked. */
export const RETURNED_PAYMENTS_READER = 'ledger-returned-payments';
/** A return may show a little after the time that it bears. */
const OVERLAP_MS = 10 * 60_000;
/** The bank's clock may be ahead of ours. */
const AHEAD_MS = 60_000;
const FIRST_LOOK_BACK_MS = 24 * 60 * 60 * 1000;
const MAX_PAGES = 1_000;

@CommandHandler(PollReturnedPaymentsCommand)
export class PollReturnedPaymentsHandler implements ICommandHandler<PollReturnedPaymentsCommand> {
  constructor(
    private readonly commands: CommandBus,
    @Inject(PAYOUTS) private readonly bank: Payouts,
    @Inject(CHECKPOINTS) private readonly checkpoints: Checkpoints,
    @Inject(CLOCK) private readonly clock: Clock,
  ) {}

  /**
   * Every page is read although some returns fail; the mark moves only after every return of the window is a deposit.
   */
  async execute({ payload: { fence }, context }: PollReturnedPaymentsCommand): Promise<void> {
    const now = this.clock.now();
    const mark = await this.checkpoints.load(RETURNED_PAYMENTS_READER);
    const since = mark === undefined ? now - FIRST_LOOK_BACK_MS : Math.min(fromIso(mark), now) - OVERLAP_MS;
    let failure: unknown;
    for (let page = 0; page < MAX_PAGES; page += 1) {
      const { paymentIds, lastPage } = await asked(() =>
        this.bank.listReturned({ from: isoTime(since), to: isoTime(now + AHEAD_MS), page }),
      );
      try {
        await each(paymentIds, (paymentId) =>
          this.commands.execute(new ReceiveReturnedPaymentCommand({ paymentId }, context)),
        );
      } catch (error) {
        failure ??= error;
      }
      if (!lastPage) continue;
      if (failure !== undefined) throw failure;
      await this.checkpoints.save(RETURNED_PAYMENTS_READER, isoTime(now), fence);
      return;
    }
    throw new Error('the list of returned payments does not end');
  }
}
