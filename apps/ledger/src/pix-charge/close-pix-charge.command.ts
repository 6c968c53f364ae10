import { Inject } from '@nestjs/common';
import { CommandBus, CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import type { ChargeOutcome, ClosePixCharge } from '@ponte/contracts';
import type { RequestContext } from '@ponte/event-sourcing';
import { Unavailable, refuse } from '@ponte/kernel';
import { RequestCommand } from '@ponte/nest';
import type { PixCharge } from './pix-charge.decider';
import { outcomeOf } from './pix-charge.decider';
import type { PixCharges, RailCharge } from './pix-charges.port';
import { PIX_CHARGES } from './pix-charges.port';
import { AdvanceDepositCommand } from '../deposit/advance-deposit.command';
import { Charges } from './charges.repository';
import { callRepeatable, isBankFailure } from '../payouts/rail';
import { ReceivePixCommand } from './receive-pix.command';
import { step } from '../steps';

/**
 * Closes a charge at the bank, then reads it there. Payments that the bank knows of are recorded before the charge is
 * closed as unpaid.
 */
export class ClosePixChargeCommand extends RequestCommand<typeof ClosePixCharge> {}

@CommandHandler(ClosePixChargeCommand)
export class ClosePixChargeHandler implements ICommandHandler<ClosePixChargeCommand> {
  constructor(
    private readonly charges: Charges,
    private readonly commands: CommandBus,
    @Inject(PIX_CHARGES) private readonly rail: PixCharges,
  ) {}

  async execute({ payload: { txid }, context }: ClosePixChargeCommand): Promise<ChargeOutcome> {
    const known = await this.outcome(txid, context);
    if (known.state !== 'open') return known;
    // An accepted payment waits for its frozen account. The bank knows nothing new about such a charge.
    if ((await this.charges.load(txid)).status === 'accepted') throw new Unavailable('service-unavailable');
    const charge = await this.closedAtBank(txid);
    for (const endToEndId of charge?.endToEndIds ?? []) await this.receivePayment(endToEndId, context);
    const paid = await this.outcome(txid, context);
    if (paid.state !== 'open') return paid;
    // API Pix need not name the payment. The poll, which lists payments with their txid, will record it. If that has
    // happened, the payment was refused, because the charge is still unpaid.
    const isUnnamed = charge?.status === 'paid' && charge.endToEndIds.length === 0;
    if (isUnnamed && !hasPayment(await this.charges.load(txid))) throw new Unavailable('rail-unavailable');
    await this.charges.execute(txid, (now) => ({ kind: 'close', now }), step(context, 'close', txid));
    // A payment may have been recorded in the stream just before.
    const final = await this.outcome(txid, context);
    if (final.state === 'open') throw new Unavailable('service-unavailable');
    return final;
  }

  /** The current outcome. An accepted payment is first processed to its end. */
  private async outcome(txid: string, context: RequestContext): Promise<ChargeOutcome> {
    const state = await this.charges.load(txid);
    if (state.status === 'accepted' && state.spentBy !== null)
      await this.commands.execute(new AdvanceDepositCommand({ depositId: state.spentBy }, context));
    return (
      outcomeOf(state.status === 'accepted' ? await this.charges.load(txid) : state) ??
      refuse('charge-not-found', 'there is no such charge')
    );
  }

  /** Undefined if the bank does not know the charge. A timeout while closing is ignored: the read decides. */
  private async closedAtBank(txid: string): Promise<RailCharge | undefined> {
    await this.rail.removeCharge(txid).catch((error: unknown) => {
      if (!isBankFailure(error)) throw error;
    });
    const charge = await callRepeatable(() => this.rail.getCharge(txid));
    if (charge?.status === 'active') throw new Unavailable('rail-unavailable');
    return charge;
  }

  private async receivePayment(endToEndId: string, context: RequestContext): Promise<void> {
    const { depositId } = await this.commands.execute(new ReceivePixCommand({ endToEndId }, context));
    // The bank lists a payment that it does not return: it is not certain that the charge is unpaid.
    if (depositId === null) throw new Unavailable('rail-unavailable');
    await this.commands.execute(new AdvanceDepositCommand({ depositId }, context));
  }
}

/** Whether a payment of the charge was recorded, whatever its decision. */
const hasPayment = (state: PixCharge): boolean => state.status !== 'none' && Object.keys(state.decisions).length > 0;
