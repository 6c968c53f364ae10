import { Inject, Injectable } from '@nestjs/common';
import { GetAccount } from '@ponte/contracts';
import type { MessageBus } from '@ponte/event-sourcing';
import type { Clock } from '@ponte/kernel';
import { derivedId } from '@ponte/kernel';
import { LOGGER, MESSAGE_BUS, SYSTEM_CLOCK } from '@ponte/nest';
import type { Logger } from 'pino';
import type { NumberedDue } from './due-transactions';

/** How long an account counts as active after its transaction was requested (and the account checked), ms. */
const FRESH_MS = 1_000;

/**
 * Keeps transactions of frozen accounts from being signed. An intent may wait a long time for a node, for the treasury
 * or for a limit of the signer, and its account may be frozen in the meantime.
 */
@Injectable()
export class FrozenAccounts {
  constructor(
    @Inject(MESSAGE_BUS) private readonly bus: MessageBus,
    @Inject(SYSTEM_CLOCK) private readonly clock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * Removes the transactions of accounts that are frozen, or about which onboarding does not answer. The next round
   * checks them again and signs them once the account is released. A transaction that restores a lost one never waits:
   * the reorg has frozen its account, and an operator has decided to restore it.
   */
  async without<D extends NumberedDue>(dues: readonly D[]): Promise<D[]> {
    const since = this.clock.now() - FRESH_MS;
    const isAsked = ({ numbered, intent }: D): boolean =>
      !numbered && intent.restores === undefined && Date.parse(intent.intendedAt) <= since;
    const accountIds = [...new Set(dues.filter(isAsked).map(({ intent }) => intent.purpose.accountId))];
    const answers = await Promise.all(accountIds.map(async (id) => [id, await this.maySign(id)] as const));
    const waiting = new Set(answers.filter(([, may]) => !may).map(([id]) => id));
    return dues.filter((due) => !isAsked(due) || !waiting.has(due.intent.purpose.accountId));
  }

  private async maySign(accountId: string): Promise<boolean> {
    const commandId = derivedId('account-before-signing', accountId);
    const context = { commandId, correlationId: commandId, actor: 'sender' };
    try {
      return (await this.bus.request(GetAccount, { accountId }, context))?.status !== 'frozen';
    } catch (error) {
      this.logger.warn({ err: error, accountId }, 'the status of an account is unknown; its transactions wait');
      return false;
    }
  }
}
