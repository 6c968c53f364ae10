import { CommandBus, CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import type { ReturnChargePayment } from '@ponte/contracts';
import type { ReplyOf, RequestContext } from '@ponte/event-sourcing';
import { behindEvent } from '@ponte/event-sourcing';
import { refuse } from '@ponte/kernel';
import { RequestCommand } from '@ponte/nest';
import type { PixCharge } from './pix-charge.decider';
import { outcomeOf } from './pix-charge.decider';
import { AdvanceDepositCommand } from '../deposit/advance-deposit.command';
import { Charges } from './charges.repository';
import { ReturnDepositCommand } from '../deposit/return-deposit.command';
import { step } from '../steps';
import { LedgerAccounts } from '../ledger-account/ledger-accounts.repository';

/** Takes the held payment of a charge out of the books and sends it back. Refused once its order has used it. */
export class ReturnChargePaymentCommand extends RequestCommand<typeof ReturnChargePayment> {}

@CommandHandler(ReturnChargePaymentCommand)
export class ReturnChargePaymentHandler implements ICommandHandler<ReturnChargePaymentCommand> {
  constructor(
    private readonly charges: Charges,
    private readonly commands: CommandBus,
    private readonly ledgerAccounts: LedgerAccounts,
  ) {}

  /** Debits the books first: on its way the money belongs to no account, and the event ensures that it is sent. */
  async execute({
    payload: { txid, reason },
    context,
  }: ReturnChargePaymentCommand): Promise<ReplyOf<typeof ReturnChargePayment>> {
    const charge = await this.settled(txid, context);
    const outcome = outcomeOf(charge);
    // Callers return only the payment of a paid charge, so an earlier status means an old state.
    if (charge.status === 'none' || outcome === null) return behindEvent(`charge ${txid}`, charge.status);
    switch (outcome.state) {
      case 'open':
        return behindEvent(`charge ${txid}`, charge.status);
      case 'closed':
        return refuse('charge-not-paid', 'the charge has no payment to return');
      // The payment is already on its way back.
      case 'mispaid':
        return { depositId: outcome.depositId };
      case 'paid': {
        const { depositId, holdId } = outcome;
        const { accountId } = charge.facts;
        await this.ledgerAccounts.execute(
          accountId,
          (now) => ({ kind: 'reverse-deposit', accountId, depositId, holdId, reason, now }),
          step(context, 'reverse', depositId),
        );
        await this.commands.execute(new ReturnDepositCommand({ depositId, reason }, context));
        return { depositId };
      }
    }
  }

  private async settled(txid: string, context: RequestContext): Promise<PixCharge> {
    const state = await this.charges.load(txid);
    if (state.status !== 'accepted' || state.spentBy === null) return state;
    await this.commands.execute(new AdvanceDepositCommand({ depositId: state.spentBy }, context));
    return this.charges.load(txid);
  }
}
