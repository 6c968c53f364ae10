import { Inject } from '@nestjs/common';
import { CommandBus, CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import { PayloadCommand } from '@ponte/nest';
import type { PollRun } from './bank-polls';
import { BankPolls } from './bank-polls';
import type { BankList } from './bank-reading';
import { PAYOUTS } from './payouts.port';
import type { Payouts } from './payouts.port';
import { CheckRefusedPayoutCommand } from '../refused-payout/check-refused-payout.command';
import { withdrawalIdOf } from '../withdrawal/withdrawal.state';
import { ReceiveReturnedPaymentCommand } from './receive-returned-payment.command';

/** Polls the bank for payments that came back since the last poll, because its notices may be lost. */
export class PollReturnedPaymentsCommand extends PayloadCommand<PollRun> {}

/** Stores the time up to which the bank was polled. */
export const RETURNED_PAYMENTS_READER = 'ledger-returned-payments';

@CommandHandler(PollReturnedPaymentsCommand)
export class PollReturnedPaymentsHandler implements ICommandHandler<PollReturnedPaymentsCommand> {
  constructor(
    private readonly commands: CommandBus,
    private readonly polls: BankPolls,
    @Inject(PAYOUTS) private readonly bank: Payouts,
  ) {}

  async execute({ payload, context }: PollReturnedPaymentsCommand): Promise<void> {
    const list: BankList = {
      page: (window) => this.bank.listReturned(window),
      record: async (paymentId) => {
        await this.commands.execute(new ReceiveReturnedPaymentCommand({ paymentId }, context));
        // Money that comes back may be that of a payout which the bank had refused, and made long afterwards.
        const withdrawalId = withdrawalIdOf(paymentId);
        if (withdrawalId !== undefined)
          await this.commands.execute(new CheckRefusedPayoutCommand({ withdrawalId }, context));
      },
    };
    await this.polls.poll({ ...payload, reader: RETURNED_PAYMENTS_READER, lists: [list] }, context);
  }
}
