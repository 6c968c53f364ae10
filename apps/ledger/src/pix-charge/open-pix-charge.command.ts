import { Inject } from '@nestjs/common';
import { CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import type { OpenPixCharge } from '@ponte/contracts';
import type { PayloadOf, ReplyOf, RequestContext } from '@ponte/event-sourcing';
import { Money, derivedId, refuse } from '@ponte/kernel';
import { RequestCommand } from '@ponte/nest';
import { buildBrCode } from '../br-code/br-code.domain';
import type { PixChargeCommand } from './pix-charge.decider';
import { LEDGER_SETTINGS } from '../ledger-settings.port';
import type { LedgerSettings } from '../ledger-settings.port';
import type { PixCharges } from './pix-charges.port';
import { PIX_CHARGES } from './pix-charges.port';
import { Accounts } from '../deposit/pix-accounts.service';
import { Charges } from './charges.repository';
import { callOnce, isBankFailure } from '../payouts/rail';

type Payload = PayloadOf<typeof OpenPixCharge>;

/** Opens a one-time charge at the bank. Repeating the command returns the existing charge. */
export class OpenPixChargeCommand extends RequestCommand<typeof OpenPixCharge> {}

@CommandHandler(OpenPixChargeCommand)
export class OpenPixChargeHandler implements ICommandHandler<OpenPixChargeCommand> {
  constructor(
    private readonly charges: Charges,
    private readonly accounts: Accounts,
    @Inject(PIX_CHARGES) private readonly rail: PixCharges,
    @Inject(LEDGER_SETTINGS) private readonly settings: LedgerSettings,
  ) {}

  /** Records the request before calling the bank, so that the bank never has a charge that we do not know. */
  async execute({ payload, context }: OpenPixChargeCommand): Promise<ReplyOf<typeof OpenPixCharge>> {
    const { txid } = payload;
    const state = await this.charges.execute(txid, () => this.request(payload, context), context);
    if (state.status === 'none' || state.status === 'closed') return refuseClosed();
    const { amount, expiration } = state.facts;
    if (state.brcode !== null) return { brcode: state.brcode, expiration };
    const charge = await callOnce(
      () => this.rail.putCharge({ txid, amount, expiresAt: expiration }),
      () => this.rail.getCharge(txid),
    );
    const { merchantName: name, merchantCity: city } = this.settings;
    const brcode = buildBrCode({ kind: 'dynamic', location: charge.location, name, city });
    const opened = { ...context, commandId: derivedId('ledger', 'note-opened', txid) };
    const after = await this.charges.execute(txid, (now) => ({ kind: 'note-opened', brcode, now }), opened);
    if (after.status === 'closed') return this.removeAndRefuse(txid);
    return { brcode, expiration };
  }

  /** The charge was closed while the bank opened it. If it stays open at the bank, a payment of it is sent back. */
  private async removeAndRefuse(txid: string): Promise<never> {
    await this.rail.removeCharge(txid).catch((error: unknown) => {
      if (!isBankFailure(error)) throw error;
    });
    return refuseClosed();
  }

  private async request(
    { txid, accountId, orderId, amount, expiration }: Payload,
    context: RequestContext,
  ): Promise<PixChargeCommand> {
    const account = await this.accounts.get(accountId, context);
    if (account?.status !== 'active') return refuse('account-not-active', 'the account is not active');
    const { parentId, taxIdFingerprint: payerTaxIdFingerprint } = account;
    const money = Money.parse('fiat/brl', amount);
    if (!money.isPositive()) return refuse('amount-below-minimum', 'the amount must be greater than zero', 'quote-id');
    return {
      kind: 'request',
      facts: { txid, accountId, parentId, orderId, amount: money.toString(), expiration, payerTaxIdFingerprint },
    };
  }
}

const refuseClosed = (): never => refuse('charge-closed', 'the charge was closed before it was opened');
