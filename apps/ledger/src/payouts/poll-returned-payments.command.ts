import { Inject } from '@nestjs/common';
import { CommandBus, CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import type { RequestContext } from '@ponte/event-sourcing';
import { PayloadCommand } from '@ponte/nest';
import type { PollRun } from './bank-polls.service';
import { BankPolls } from './bank-polls.service';
import type { BankList } from './bank-reading';
import { MalformedIds } from '../pix-charge/malformed-ids.service';
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
    private readonly malformed: MalformedIds,
    @Inject(PAYOUTS) private readonly bank: Payouts,
  ) {}

  async execute({ payload, context }: PollReturnedPaymentsCommand): Promise<void> {
    const list: BankList = {
      page: (window) => this.bank.listReturned(window),
      record: (paymentId) => this.receive(paymentId, context),
    };
    await this.polls.poll({ ...payload, reader: RETURNED_PAYMENTS_READER, lists: [list] }, context);
  }

  private async receive(paymentId: string, context: RequestContext): Promise<void> {
    const withdrawalId = withdrawalIdOf(paymentId);
    // No payment of Ponte has such an id, so the entry is reported and must not hold up the poll.
    if (withdrawalId === undefined) return this.malformed.report('returned', paymentId, context);
    await this.commands.execute(new ReceiveReturnedPaymentCommand({ paymentId, isListed: true }, context));
    // Money that comes back may be that of a payout which the bank had refused, and made long afterwards.
    await this.commands.execute(new CheckRefusedPayoutCommand({ withdrawalId }, context));
  }
}
