import { Inject } from '@nestjs/common';
import { CommandBus, CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import type { SimulateDeposit } from '@ponte/contracts';
import { LEDGER_TRANSIT_SUBJECT } from '@ponte/contracts';
import type { PersonalData, ReplyOf, RequestContext } from '@ponte/event-sourcing';
import { isSealed } from '@ponte/event-sourcing';
import { Money, Unavailable, compactId, parseTaxId, refuse } from '@ponte/kernel';
import { PERSONAL_DATA, RequestCommand } from '@ponte/nest';
import { Accounts } from '../deposit/pix-accounts.service';
import { SimulatePixPaymentCommand } from '../pix-charge/simulate-pix-payment.command';
import { step } from '../steps';
import { PIX_PAYER } from '../pix-charge/pix-payer.port';
import type { PixPayer } from '../pix-charge/pix-payer.port';
import { ConfirmUsdDepositCommand, RecordUsdDepositCommand } from '../usd-deposit/usd-deposits.commands';
import { TED_PAYER } from './incoming-teds.port';
import type { TedPayer } from './incoming-teds.port';

/** Sandbox only: simulates a deposit to an account. Repeating the command does not create a second deposit. */
export class SimulateDepositCommand extends RequestCommand<typeof SimulateDeposit> {}

@CommandHandler(SimulateDepositCommand)
export class SimulateDepositHandler implements ICommandHandler<SimulateDepositCommand> {
  constructor(
    private readonly commands: CommandBus,
    private readonly accounts: Accounts,
    @Inject(TED_PAYER) private readonly bank: TedPayer | null,
    @Inject(PIX_PAYER) private readonly pix: PixPayer | null,
    @Inject(PERSONAL_DATA) private readonly personalData: PersonalData,
  ) {}

  async execute({ payload, context }: SimulateDepositCommand): Promise<ReplyOf<typeof SimulateDeposit>> {
    const { accountId, type, payerTaxId } = payload;
    switch (type) {
      case 'pix': {
        const { endToEndId, amount } = await this.commands.execute(
          new SimulatePixPaymentCommand({ brcode: null, accountId, amount: payload.amount, payerTaxId }, context),
        );
        return { type, asset: 'fiat/brl', amount, endToEndId };
      }
      case 'ted':
        return this.ted(payload, context);
      case 'manual-fx':
        return this.usd(payload, context);
    }
  }

  private async ted(
    { accountId, amount: text, payerTaxId }: SimulateDepositCommand['payload'],
    context: RequestContext,
  ): Promise<ReplyOf<typeof SimulateDeposit>> {
    if (this.bank === null || this.pix === null) throw new Unavailable('service-unavailable');
    const amount = Money.parse('fiat/brl', text).toString();
    const holder = await this.accounts.holder(accountId, context);
    const given = payerTaxId === null || !isSealed(payerTaxId) ? payerTaxId : await this.personalData.open(payerTaxId);
    if (given === null && holder === null)
      return refuse('missing-field', 'the account has no holder yet, so the payer must be named', 'payer-tax-id');
    const taxId = parseTaxId(given ?? (holder ? await this.personalData.open(holder.taxId) : ''))?.value;
    if (taxId === undefined)
      return refuse('invalid-tax-id', 'must be a CPF or CNPJ with valid check digits', 'payer-tax-id');
    const { tedId } = await this.bank.pay({
      reference: context.commandId,
      identifier: compactId(accountId),
      amount,
      payer: this.pix.invent(taxId, null),
    });
    return { type: 'ted', asset: 'fiat/brl', amount, endToEndId: tedId };
  }

  private async usd(
    { accountId, amount }: SimulateDepositCommand['payload'],
    context: RequestContext,
  ): Promise<ReplyOf<typeof SimulateDeposit>> {
    const bankReference = `SANDBOX-${context.commandId}`;
    const coordinates = await this.personalData.seal(
      LEDGER_TRANSIT_SUBJECT,
      JSON.stringify({ source: 'Sandbox bank', target: null }),
    );
    const evidence = { bankReference, documentSha256: '0'.repeat(64) };
    const { id, amount: credited } = await this.commands.execute(
      new RecordUsdDepositCommand({ accountId, amount, coordinates, evidence, staffId: 'sandbox-operator-1' }, context),
    );
    await this.commands.execute(
      new ConfirmUsdDepositCommand({ depositId: id, staffId: 'sandbox-operator-2' }, step(context, 'confirm', id)),
    );
    return { type: 'manual-fx', asset: 'fiat/usd', amount: credited, endToEndId: bankReference };
  }
}
