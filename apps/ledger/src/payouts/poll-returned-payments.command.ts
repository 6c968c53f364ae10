import { Inject } from '@nestjs/common';
import { CommandBus, CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import { PayloadCommand } from '@ponte/nest';
import { BankPolls } from './bank-polls';
import type { BankList } from './bank-reading';
import { PAYOUTS } from './payouts.port';
import type { Payouts } from './payouts.port';
import { ReceiveReturnedPaymentCommand } from './receive-returned-payment.command';

/** Polls the bank for payments that came back since the last poll, because its notices may be lost. */
export class PollReturnedPaymentsCommand extends PayloadCommand<{ readonly fence: number }> {}

/** Stores the time up to which the bank was polled. */
export const RETURNED_PAYMENTS_READER = 'ledger-returned-payments';
/** A return may appear at the bank some minutes after its time. */
const POLL = { reader: RETURNED_PAYMENTS_READER, overlapMs: 10 * 60_000 } as const;

@CommandHandler(PollReturnedPaymentsCommand)
export class PollReturnedPaymentsHandler implements ICommandHandler<PollReturnedPaymentsCommand> {
  constructor(
    private readonly commands: CommandBus,
    private readonly polls: BankPolls,
    @Inject(PAYOUTS) private readonly bank: Payouts,
  ) {}

  async execute({ payload: { fence }, context }: PollReturnedPaymentsCommand): Promise<void> {
    const list: BankList = {
      page: (window) => this.bank.listReturned(window),
      record: (paymentId) => this.commands.execute(new ReceiveReturnedPaymentCommand({ paymentId }, context)),
    };
    await this.polls.poll({ ...POLL, fence, lists: [list] }, context);
  }
}
