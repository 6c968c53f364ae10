import { Inject } from '@nestjs/common';
import { CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import type { HolderRecord, SimulatePixPayment, SimulatedPixPayment } from '@ponte/contracts';
import { holderIdOf } from '@ponte/contracts';
import type { PersonalData, ReplyOf, RequestContext } from '@ponte/event-sourcing';
import { ERASED, isSealed } from '@ponte/event-sourcing';
import { Money, Unavailable, parseTaxId, refuse } from '@ponte/kernel';
import { PERSONAL_DATA, RequestCommand } from '@ponte/nest';
import { fundingCode } from '../br-code/funding-code.domain';
import { LEDGER_SETTINGS } from '../ledger-settings.port';
import type { LedgerSettings } from '../ledger-settings.port';
import type { Payer } from './pix-charges.port';
import { PIX_PAYER } from './pix-payer.port';
import type { PixPayer } from './pix-payer.port';
import { Accounts } from '../deposit/pix-accounts.service';
import { callRepeatable } from '../payouts/rail';

/** Sandbox only: pays a code. Repeating the command does not pay again. */
export class SimulatePixPaymentCommand extends RequestCommand<typeof SimulatePixPayment> {}

@CommandHandler(SimulatePixPaymentCommand)
export class SimulatePixPaymentHandler implements ICommandHandler<SimulatePixPaymentCommand> {
  constructor(
    private readonly accounts: Accounts,
    @Inject(PIX_PAYER) private readonly bank: PixPayer | null,
    @Inject(PERSONAL_DATA) private readonly personalData: PersonalData,
    @Inject(LEDGER_SETTINGS) private readonly settings: LedgerSettings,
  ) {}

  async execute({ payload, context }: SimulatePixPaymentCommand): Promise<ReplyOf<typeof SimulatePixPayment>> {
    const { bank } = this;
    if (bank === null) throw new Unavailable('service-unavailable');
    const brcode = await this.codeOf(payload, context);
    const offer =
      bank.read(brcode) ?? refuse('invalid-format', 'the code is damaged or was not issued by us', 'brcode');
    const amount = amountOf(payload.amount ?? offer.amount);
    const payer = await this.payer(bank, payload.payerTaxId, offer.txid, context);
    return callRepeatable(() => bank.pay({ reference: context.commandId, brcode, amount, payer }));
  }

  private async codeOf({ brcode, accountId }: SimulatedPixPayment, context: RequestContext): Promise<string> {
    if (brcode !== null) return brcode;
    const account =
      accountId === null
        ? refuse('missing-field', 'either a brcode or an account must be given', 'brcode')
        : await this.accounts.get(accountId, context);
    return account
      ? fundingCode(this.settings, account.accountId)
      : refuse('account-not-active', 'the account is not active yet, so it has no Pix code', 'account-id');
  }

  /** The named payer, otherwise the holder of the account that is paid. */
  private async payer(bank: PixPayer, given: string | null, txid: string, context: RequestContext): Promise<Payer> {
    const target = await this.accounts.targetOf(txid, context);
    const holder = target && (await this.accounts.holder(target.accountId, context));
    const holderTaxId = holder && (await this.taxIdOf(holder));
    const statedTaxId = given === null ? holderTaxId : await this.opened(given);
    if (statedTaxId === null)
      return refuse(
        'missing-field',
        'the holder of the paid account has no CPF or CNPJ, so the payer must be named',
        'payer-tax-id',
      );
    const taxId =
      parseTaxId(statedTaxId)?.value ??
      refuse('invalid-tax-id', 'must be a CPF or CNPJ with valid check digits', 'payer-tax-id');
    const name = holder && taxId === holderTaxId ? await this.personalData.open(holder.legalName) : null;
    return bank.invent(taxId, name === ERASED ? null : name);
  }

  /**
   * Null if the holder is known by a passport number, which may look like a CPF. The number is a tax id only if the
   * holder's id derives from it as a tax id.
   */
  private async taxIdOf({ holderId, taxId }: HolderRecord): Promise<string | null> {
    const value = parseTaxId(await this.personalData.open(taxId))?.value;
    return value !== undefined && holderIdOf(this.personalData.fingerprint('tax-id', value)) === holderId
      ? value
      : null;
  }

  private async opened(given: string): Promise<string> {
    return isSealed(given) ? this.personalData.open(given) : given;
  }
}

function amountOf(text: string | null): string {
  if (text === null)
    return refuse('missing-field', 'the Pix code has no amount, so the payment must name one', 'amount');
  const money = Money.parse('fiat/brl', text);
  if (!money.isPositive()) refuse('amount-below-minimum', 'must be greater than zero', 'amount');
  return money.toString();
}
