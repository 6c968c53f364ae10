import { CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import type { PayOutOrderPayload, WithdrawalRecord, PayOutOrder } from '@ponte/contracts';
import { behindEvent } from '@ponte/event-sourcing';
import type { AssetId } from '@ponte/kernel';
import { RequestCommand } from '@ponte/nest';
import { step } from '../steps';
import type { WithdrawalTerms } from '../withdrawal/withdrawal.state';
import { created } from '../withdrawal/withdrawal.state';
import { recordOf } from '../withdrawal/withdrawal.record';
import { Withdrawals } from '../withdrawal/withdrawals.repository';
import { LedgerAccounts } from '../ledger-account/ledger-accounts.repository';

const BRL: AssetId = 'fiat/brl';
/** The API key id recorded for orders that were not created with an API key. */
const NO_API_KEY = 'unknown';

/**
 * Creates the withdrawal that pays the BRL of an order out to a Pix key. The withdrawal owns the hold that the exchange
 * placed.
 */
export class PayOutOrderCommand extends RequestCommand<typeof PayOutOrder> {}

@CommandHandler(PayOutOrderCommand)
export class PayOutOrderHandler implements ICommandHandler<PayOutOrderCommand> {
  constructor(
    private readonly withdrawals: Withdrawals,
    private readonly ledgerAccounts: LedgerAccounts,
  ) {}

  /** Repeating the command returns the existing withdrawal in its current state. */
  async execute({ payload, context }: PayOutOrderCommand): Promise<WithdrawalRecord> {
    const existing = created(await this.withdrawals.load(payload.withdrawalId));
    if (existing) return recordOf(existing);
    await this.checkHold(payload);
    const state = created(
      await this.withdrawals.execute(
        payload.withdrawalId,
        (now) => ({ kind: 'create', terms: termsOf(payload, now) }),
        step(context, 'create', payload.holdId),
      ),
    );
    if (!state) throw new Error('a withdrawal that was just created is missing');
    return recordOf(state);
  }

  /** The exchange was posted before the order sent this command, so a hold that is not known yet means an old state. */
  private async checkHold({ accountId, withdrawalId, holdId, amount }: PayOutOrderPayload): Promise<void> {
    const state = await this.ledgerAccounts.load(accountId);
    const hold = state.holds.get(holdId);
    if (!hold && !state.taken.has(holdId)) behindEvent(`hold ${holdId}`, 'not placed');
    const isOwn = hold?.owner.kind === 'withdrawal' && hold.owner.id === withdrawalId;
    if (!isOwn || hold.asset !== BRL || hold.amount !== amount)
      throw new Error(`hold ${holdId} does not cover the whole delivery of withdrawal ${withdrawalId}`);
  }
}

function termsOf({ target, createdByApiKey, ...payload }: PayOutOrderPayload, now: string): WithdrawalTerms {
  const { withdrawalId, orderId, accountId, parentId, createdBy, holdId, amount } = payload;
  return {
    withdrawalId,
    accountId,
    parentId,
    createdBy,
    createdByApiKey: createdByApiKey ?? NO_API_KEY,
    keyHash: null,
    bodyHash: null,
    externalId: null,
    orderId,
    asset: BRL,
    amount,
    holdId,
    target: { method: 'pix', ...target },
    scheduledFor: null,
    createdAt: now,
  };
}
