import { Injectable } from '@nestjs/common';
import type { AccountRecord } from '@ponte/contracts';
import { isTokenCoordinates } from '@ponte/contracts';
import type { RequestContext } from '@ponte/event-sourcing';
import { behindEvent } from '@ponte/event-sourcing';
import type { DepositFacts, Verdict } from '../domain/deposit/deposit';
import { pixOf } from '../domain/deposit/deposit';
import type { PixCharge } from '../domain/pix-charge/pix-charge';
import { Accounts } from './accounts';
import { Charges } from './charges';
import { step } from './steps';

const refused = (reason: Extract<Verdict, { accepted: false }>['reason']): Verdict => ({ accepted: false, reason });

/** Decides whether the money of a deposit is its account's. */
@Injectable()
export class JudgeDeposit {
  constructor(
    private readonly accounts: Accounts,
    private readonly charges: Charges,
  ) {}

  async verdict(facts: DepositFacts, context: RequestContext): Promise<Verdict> {
    if (facts.accountId === null) return refused('unknown-target');
    // They are on the chain already, and nothing can send them back: a frozen account has them credited later.
    if (isTokenCoordinates(facts.coordinates)) return { accepted: true, accountId: facts.accountId };
    return facts.orderId === null ? this.ofAccountCode(facts, facts.accountId, context) : this.ofCharge(facts, facts.accountId, context);
  }

  /** First-party rule: only when the sender's tax id is the account's. */
  private async ofAccountCode(facts: DepositFacts, accountId: string, context: RequestContext): Promise<Verdict> {
    const account = await this.account(accountId, context);
    if (account.status !== 'active') return refused('account-not-active');
    return account.taxIdFingerprint === pixOf(facts).sourceTaxIdFingerprint ? { accepted: true, accountId } : refused('payer-tax-id-mismatch');
  }

  /** The charge's stream decides, and what it decided stands, however often and by whomever the deposit is carried on. */
  private async ofCharge(facts: DepositFacts, accountId: string, context: RequestContext): Promise<Verdict> {
    const { depositId, amount, settledAt } = facts;
    const coordinates = pixOf(facts);
    const txid = coordinates.target;
    const known = verdictIn(await this.charges.load(txid), depositId, accountId);
    if (known) return known;
    const { state } = await this.charges.handle(txid, async () => ({
      kind: 'judge-payment',
      payment: { depositId, amount, settledAt, payerTaxIdFingerprint: coordinates.sourceTaxIdFingerprint },
      accountActive: (await this.account(accountId, context)).status === 'active',
    }), step(context, 'judge-payment', depositId));
    // The deposit names its order because the charge was found when it came in.
    return verdictIn(state, depositId, accountId) ?? behindEvent(`charge ${txid}`, state.status);
  }

  /** The deposit names the account because it was found when the payment came in. */
  private async account(accountId: string, context: RequestContext): Promise<AccountRecord> {
    return (await this.accounts.get(accountId, context)) ?? behindEvent(`account ${accountId}`, 'absent');
  }
}

function verdictIn(charge: PixCharge, depositId: string, accountId: string): Verdict | undefined {
  const verdict = charge.status === 'none' ? undefined : charge.verdicts[depositId];
  if (!verdict) return undefined;
  return verdict.accepted ? { accepted: true, accountId } : refused(verdict.reason);
}
