import type {
  ChainTransactionEvent,
  FreezeReason,
  GetSettlement,
  GiveUpReason,
  PixChargeEvent,
  RefuseSettlement,
  RequestSettlement,
  ScreeningOutcome,
  WithdrawalEvent,
} from '@ponte/contracts';
import {
  AccountFrozen,
  AccountReleased,
  AddressReviewed,
  AddressReviewOpened,
  DepositVoided,
  PixChargeClosed,
  PixChargeMispaid,
  PixChargePaid,
  TransactionConfirmed,
  TransactionGivenUp,
  TransactionReverted,
  WithdrawalCompleted,
  WithdrawalRolledBack,
} from '@ponte/contracts';
import type { EventStore, PayloadOf, ReplyOf } from '@ponte/event-sourcing';
import { streamName, toAppend } from '@ponte/event-sourcing';
import { derivedId } from '@ponte/kernel';

/**
 * What a handler returns and whether it changed anything. As in the real services, only a command that changed
 * something is remembered by its id.
 */
export interface Answer<R> {
  readonly reply: R;
  readonly changed?: boolean;
}

type Settlement = PayloadOf<typeof RequestSettlement>;

type Emitted =
  | PixChargeEvent
  | ChainTransactionEvent
  | AccountFrozen
  | AccountReleased
  | AddressReviewed
  | AddressReviewOpened
  | WithdrawalEvent
  | DepositVoided;

const ended = ({ settlementId, orderId, accountId }: Settlement) =>
  ({
    transactionId: settlementId,
    chain: 'eth-base',
    purpose: { kind: 'mint', id: settlementId, orderId, accountId },
  }) as const;

/** Appends the events of the services around orders, and of decisions by staff. */
export class SimulatedLog {
  /** The decisions of staff by order, and the screening outcome of all other orders. */
  readonly screened = new Map<string, ScreeningOutcome>();
  screening: ScreeningOutcome = 'clear';
  readonly settlements = new Map<string, Settlement>();
  /** The settlements that are requested, but have no nonce yet. */
  readonly unsigned = new Set<string>();
  /** Why settlements were given up, by id; null for those that were reverted. */
  readonly failed = new Map<string, GiveUpReason | null>();
  readonly confirmed = new Map<string, { txHash: string; minedAt: string; confirmedAt: string }>();
  /** Why settlements were to be refused. */
  readonly refusals: PayloadOf<typeof RefuseSettlement>['reason'][] = [];

  constructor(
    private readonly store: () => EventStore,
    protected readonly now: () => string,
  ) {}

  /** A sanctions list names the external wallet of an order. */
  openReview(id: string, accountId: string): Promise<void> {
    const about = { reviewId: id, subject: { kind: 'order', id }, accountId, address: '0x1', hits: [] } as const;
    return this.emit('addressReview', id, new AddressReviewOpened({ ...about, openedAt: this.now() }));
  }

  /** Staff review the external wallet of an order. */
  async review(orderId: string, accountId: string, outcome: 'clear' | 'refused'): Promise<void> {
    this.screened.set(orderId, outcome);
    const verdict = outcome === 'clear' ? 'false-positive' : 'true-match';
    const subject = { kind: 'order', id: orderId } as const;
    const [reason, staffId, reviewedAt] = ['sealed:v1:x', 'staff', this.now()] as const;
    await this.emit(
      'addressReview',
      orderId,
      new AddressReviewed({ reviewId: orderId, subject, accountId, verdict, reason, staffId, outcome, reviewedAt }),
    );
  }

  async confirm(settlement: Settlement): Promise<void> {
    const { settlementId } = settlement;
    const confirmed = { txHash: `0x${settlementId}`, minedAt: this.now(), confirmedAt: this.now() };
    this.confirmed.set(settlementId, confirmed);
    const mined = { blockNumber: '1', blockHash: '0xb', from: '0xf', nonce: 0, final: true };
    const end = new TransactionConfirmed({ ...ended(settlement), ...confirmed, ...mined });
    await this.emit('chainTransaction', settlementId, end);
  }

  async revert(settlement: Settlement): Promise<void> {
    this.failed.set(settlement.settlementId, null);
    await this.emit(
      'chainTransaction',
      settlement.settlementId,
      new TransactionReverted({ ...ended(settlement), txHash: `0x${settlement.settlementId}`, reason: 'reverted' }),
    );
  }

  /** The settlement is given up unsigned: the treasury could not pay in time, or the target was refused. */
  async giveUp(settlement: Settlement, reason: GiveUpReason = 'liquidity-unavailable'): Promise<void> {
    const { settlementId, orderId, accountId } = settlement;
    this.failed.set(settlementId, reason);
    const owner = { kind: 'order', id: orderId } as const;
    const token = { asset: 'eth-base/usdc', amount: '1.000000' } as const;
    const movement = { walletIds: ['treasury'], from: '0x1', to: '0x2', receiver: null };
    await this.emit(
      'chainTransaction',
      settlementId,
      new TransactionGivenUp({
        ...{ transactionId: settlementId, chain: 'eth-base', reason, givenUpAt: this.now() },
        purpose: { kind: 'token-movement', id: settlementId, owner, accountId, ...token, ...movement },
      }),
    );
  }

  protected settlement(settlementId: string): ReplyOf<typeof GetSettlement> {
    if (!this.settlements.has(settlementId)) return null;
    const confirmed = this.confirmed.get(settlementId);
    if (confirmed) return { settlementId, state: 'completed', confirmed };
    const givenUp = this.failed.get(settlementId);
    return givenUp === undefined ? { settlementId, state: 'pending' } : { settlementId, state: 'failed', givenUp };
  }

  /** Returns whether the settlement is never sent. */
  protected requestSettlement(settlement: Settlement): { readonly settlementId: string } {
    const { settlementId } = settlement;
    if (!this.settlements.has(settlementId)) this.settlements.set(settlementId, settlement);
    return { settlementId };
  }

  protected refuseSettlement({ settlementId, reason }: PayloadOf<typeof RefuseSettlement>): boolean {
    this.refusals.push(reason);
    if (this.unsigned.has(settlementId)) this.settlements.delete(settlementId);
    return !this.settlements.has(settlementId);
  }

  /** The system freezes the account. */
  freeze(accountId: string, reason: FreezeReason): Promise<void> {
    const byStaff = { requestedBy: null, confirmedBy: null } as const;
    const frozen = { accountId, reason, evidence: null, ...byStaff, frozenAt: this.now() };
    return this.emit('account', accountId, new AccountFrozen(frozen));
  }

  /** Two staff members release the account. */
  release(accountId: string): Promise<void> {
    const byStaff = { requestedBy: 'one', confirmedBy: 'two' } as const;
    const released = { accountId, reason: 'resolved', evidence: null, ...byStaff, releasedAt: this.now() } as const;
    return this.emit('account', accountId, new AccountReleased(released));
  }

  protected async emit(category: string, id: string, recorded: Emitted): Promise<void> {
    const stream = streamName(category, id);
    const revision = (await this.store().read(stream)).length - 1;
    const commandId = derivedId('neighbour', stream, String(revision));
    const [event] = toAppend(
      [recorded],
      [
        AddressReviewed,
        AddressReviewOpened,
        DepositVoided,
        TransactionConfirmed,
        TransactionReverted,
        TransactionGivenUp,
        PixChargePaid,
        PixChargeMispaid,
        PixChargeClosed,
        AccountFrozen,
        AccountReleased,
        WithdrawalCompleted,
        WithdrawalRolledBack,
      ],
      { commandId, correlationId: commandId },
      this.now(),
    );
    if (event) await this.store().append(stream, revision, [event]);
  }
}
