import { Inject, Injectable } from '@nestjs/common';
import type { AccountStatus } from '@ponte/contracts';
import { GetAccount } from '@ponte/contracts';
import type { MessageBus } from '@ponte/event-sourcing';
import { logged } from '@ponte/event-sourcing';
import type { Clock } from '@ponte/kernel';
import { derivedId } from '@ponte/kernel';
import { LOGGER, MESSAGE_BUS, SYSTEM_CLOCK } from '@ponte/nest';
import type { Logger } from 'pino';
import { isOfSuspense } from '../suspense-sending/is-of-suspense.domain';
import type { NumberedTransaction } from './due-transactions';
import { GiveUpUnsent } from '../unsent/give-up-unsent.service';

/** How long an account counts as active after its transaction was requested (and the account checked), ms. */
const FRESH_MS = 1_000;

/**
 * Keeps transactions of frozen and closed accounts from being signed. An intent may wait a long time for a node, for
 * the treasury or for a limit of the signer, and its account may be frozen, or even closed, in the meantime.
 */
@Injectable()
export class FrozenAccounts {
  constructor(
    @Inject(MESSAGE_BUS) private readonly bus: MessageBus,
    private readonly unsent: GiveUpUnsent,
    @Inject(SYSTEM_CLOCK) private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * Removes the transactions of accounts that are not active, or about which onboarding does not answer. The next round
   * checks them again and signs them once the account is released. No account is opened again after it was closed, so
   * its transactions are given up. A transaction that restores a lost one never waits: the reorg has frozen its
   * account, and an operator has decided to restore it. Nor does one that moves tokens in suspense: its account is
   * closed, and two staff members have decided to send them.
   */
  async removeInactive<D extends NumberedTransaction>(transactions: readonly D[]): Promise<D[]> {
    const since = this.clock.now() - FRESH_MS;
    const needsStatus = ({ numbered, intent }: D): boolean =>
      !numbered &&
      intent.restores === undefined &&
      !isOfSuspense(intent.purpose) &&
      Date.parse(intent.intendedAt) <= since;
    const accountIds = [...new Set(transactions.filter(needsStatus).map(({ intent }) => intent.purpose.accountId))];
    const statuses = new Map(await Promise.all(accountIds.map(async (id) => [id, await this.statusOf(id)] as const)));
    const statusFor = (due: D) => (needsStatus(due) ? statuses.get(due.intent.purpose.accountId) : 'active');
    const closed = transactions.filter((due) => statusFor(due) === 'closed');
    await Promise.all(closed.map((due) => this.giveUp(due)));
    return transactions.filter((due) => statusFor(due) === 'active');
  }

  private async giveUp(due: NumberedTransaction): Promise<void> {
    const about = { ...logged(due.trace), transactionId: due.intent.transactionId };
    try {
      if (await this.unsent.giveUp(due, 'account-not-active'))
        this.logger.error(about, 'a transaction of a closed account is given up');
      else this.logger.error(about, 'a transaction of a closed account cannot be given up; it waits');
    } catch (error) {
      this.logger.warn({ err: error, ...about }, 'a transaction of a closed account could not be given up; it waits');
    }
  }

  /** An account that onboarding does not know counts as active. */
  private async statusOf(accountId: string): Promise<AccountStatus | 'unknown'> {
    const commandId = derivedId('account-before-signing', accountId);
    const context = { commandId, correlationId: commandId, actor: 'sender' };
    try {
      return (await this.bus.request(GetAccount, { accountId }, context))?.status ?? 'active';
    } catch (error) {
      this.logger.warn({ err: error, accountId }, 'the status of an account is unknown; its transactions wait');
      return 'unknown';
    }
  }
}
