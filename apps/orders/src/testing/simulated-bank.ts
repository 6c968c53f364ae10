import type { ChargeOutcome, GetDeposit, PixChargeEvent } from '@ponte/contracts';
import { DepositVoided, PixChargeClosed, PixChargeMispaid, PixChargePaid } from '@ponte/contracts';
import type { ReplyOf } from '@ponte/event-sourcing';
import { Money, Unavailable, derivedId } from '@ponte/kernel';
import { SimulatedLedger } from './simulated-ledger';

export interface Charge {
  readonly txid: string;
  readonly accountId: string;
  readonly orderId: string;
  readonly amount: bigint;
  readonly expiration: string;
  outcome: ChargeOutcome;
}

const TAKEN_BACK = { status: 'voided', voidReason: 'taken-back' } as const;
const CREDITED = { status: 'credited', voidReason: null } as const;

/** Charges that can be paid or closed once, on top of the ledger that receives their payments. */
export class SimulatedBank extends SimulatedLedger {
  readonly charges = new Map<string, Charge>();
  readonly returned: string[] = [];
  /** The deposits whose payment the bank took back. */
  readonly takenBack = new Set<string>();
  /** How many of the next requests for a deposit are answered as if it did not exist. */
  missedDeposits = 0;

  /** Settles the payment of a charge: the ledger posts and holds it, and emits the event if `reported`. */
  async pay(txid: string, reported = true): Promise<void> {
    const { accountId, orderId, amount } = this.charge(txid);
    const [depositId, holdId, settledAt] = [derivedId('deposit', txid), derivedId('payment', txid), this.now()];
    this.balances.set(accountId, (this.balances.get(accountId) ?? 0n) + amount);
    this.holds.set(holdId, { accountId, orderId, amount, placedAt: settledAt, state: 'open' });
    this.charge(txid).outcome = { state: 'paid', depositId, holdId };
    if (reported)
      await this.report(txid, new PixChargePaid({ txid, orderId, accountId, depositId, holdId, settledAt }));
  }

  async mispay(txid: string, reason: 'payer-tax-id-mismatch' | 'amount-mismatch' | 'paid-late'): Promise<void> {
    const { accountId, orderId } = this.charge(txid);
    const depositId = derivedId('deposit', txid);
    this.charge(txid).outcome = { state: 'mispaid', depositId, reason };
    await this.report(txid, new PixChargeMispaid({ txid, orderId, accountId, depositId, reason }));
  }

  /**
   * The bank takes the payment of a charge back, and the ledger debits the account, also below zero. The hold stays.
   * The event is emitted if `reported`.
   */
  async takeBack(txid: string, reported = true): Promise<void> {
    const { accountId, orderId, amount } = this.charge(txid);
    const depositId = derivedId('deposit', txid);
    this.takenBack.add(depositId);
    this.balances.set(accountId, (this.balances.get(accountId) ?? 0n) - amount);
    const asset = 'fiat/brl' as const;
    const about = { depositId, accountId, orderId, asset, amount: Money.of(asset, amount).toString() };
    const why = { reason: 'taken-back', returnId: null, type: 'pix', voidedAt: this.now() } as const;
    if (reported) await this.emit('deposit', depositId, new DepositVoided({ ...about, ...why }));
  }

  async close(txid: string): Promise<void> {
    const { accountId, orderId } = this.charge(txid);
    this.charge(txid).outcome = { state: 'closed' };
    await this.report(txid, new PixChargeClosed({ txid, orderId, accountId, closedAt: this.now() }));
  }

  protected deposit(depositId: string): ReplyOf<typeof GetDeposit> {
    this.missedDeposits -= 1;
    if (this.missedDeposits >= 0) return null;
    return (this.takenBack.has(depositId) ? TAKEN_BACK : CREDITED) as ReplyOf<typeof GetDeposit>;
  }

  protected isPayment(holdId: string): boolean {
    return [...this.charges.values()].some(({ outcome }) => outcome.state === 'paid' && outcome.holdId === holdId);
  }

  protected charge(txid: string): Charge {
    return (
      this.charges.get(txid) ??
      (() => {
        throw new Unavailable('rail-unavailable');
      })()
    );
  }

  private report(txid: string, event: PixChargeEvent): Promise<void> {
    return this.emit('pixCharge', txid, event);
  }
}
