import { Injectable } from '@nestjs/common';
import type { AccountRecord, PixCoordinates } from '@ponte/contracts';
import { isBankCoordinates, isTokenCoordinates } from '@ponte/contracts';
import type { RequestContext } from '@ponte/event-sourcing';
import { behindEvent } from '@ponte/event-sourcing';
import type { DepositFacts, DepositValidation } from './deposit.state';
import type { PixCharge } from '../pix-charge/pix-charge.decider';
import { Accounts } from './pix-accounts.service';
import { Charges } from '../pix-charge/charges.repository';
import { step } from '../steps';

const refused = (reason: Extract<DepositValidation, { accepted: false }>['reason']): DepositValidation => ({
  accepted: false,
  reason,
});

/** Decides whether the money of a deposit belongs to its account. */
@Injectable()
export class ValidateDeposit {
  constructor(
    private readonly accounts: Accounts,
    private readonly charges: Charges,
  ) {}

  async validate(facts: DepositFacts, context: RequestContext): Promise<DepositValidation> {
    if (facts.accountId === null) return refused('unknown-target');
    // A returned withdrawal belongs to the account again, whatever sender the bank reports.
    if (facts.withdrawalId) return { accepted: true, accountId: facts.accountId };
    // Tokens are already on the chain and cannot be sent back: a frozen account is credited later.
    if (isTokenCoordinates(facts.coordinates)) return { accepted: true, accountId: facts.accountId };
    return facts.orderId === null
      ? this.ofAccountCode(facts, facts.accountId, context)
      : this.ofCharge(facts, facts.accountId, context);
  }

  /** First-party rule: accepts only if the sender's tax id is the account's. */
  private async ofAccountCode(
    facts: DepositFacts,
    accountId: string,
    context: RequestContext,
  ): Promise<DepositValidation> {
    const account = await this.account(accountId, context);
    // A deposit to a frozen account stays confirmed until the account is released.
    if (account.status === 'closed') return refused('account-not-active');
    return account.taxIdFingerprint === bankCoordinates(facts).sourceTaxIdFingerprint
      ? { accepted: true, accountId }
      : refused('payer-tax-id-mismatch');
  }

  /** The charge's stream decides once. Later runs read that decision. */
  private async ofCharge(facts: DepositFacts, accountId: string, context: RequestContext): Promise<DepositValidation> {
    const { depositId, amount, settledAt } = facts;
    const coordinates = bankCoordinates(facts);
    const txid = coordinates.target;
    const known = decisionIn(await this.charges.load(txid), depositId, accountId);
    if (known) return known;
    const state = await this.charges.execute(
      txid,
      async () => ({
        kind: 'validate-payment',
        payment: { depositId, amount, settledAt, payerTaxIdFingerprint: coordinates.sourceTaxIdFingerprint },
        accountOpen: (await this.account(accountId, context)).status !== 'closed',
      }),
      step(context, 'validate-payment', depositId),
    );
    // The deposit names an order because its charge was found when the payment came in.
    return decisionIn(state, depositId, accountId) ?? behindEvent(`charge ${txid}`, state.status);
  }

  /** The deposit names the account because it was found when the payment came in. */
  private async account(accountId: string, context: RequestContext): Promise<AccountRecord> {
    return (await this.accounts.get(accountId, context)) ?? behindEvent(`account ${accountId}`, 'absent');
  }
}

/** Deposits that staff recorded are not validated here: staff confirm them. */
function bankCoordinates({ coordinates }: DepositFacts): PixCoordinates {
  if (!isBankCoordinates(coordinates)) throw new TypeError('only a payment that the bank reported can be validated');
  return coordinates;
}

function decisionIn(charge: PixCharge, depositId: string, accountId: string): DepositValidation | undefined {
  const decision = charge.status === 'none' ? undefined : charge.decisions[depositId];
  if (!decision) return undefined;
  return decision.accepted ? { accepted: true, accountId } : refused(decision.reason);
}
