import { Inject, Injectable } from '@nestjs/common';
import type { AddressSubject, ScreeningOutcome, TransactionPurpose } from '@ponte/contracts';
import { logged } from '@ponte/event-sourcing';
import type { Clock } from '@ponte/kernel';
import { derivedId } from '@ponte/kernel';
import { CLOCK, LOGGER, SYSTEM_CLOCK } from '@ponte/nest';
import type { Logger } from 'pino';
import type { MovementsSettings } from '../movements-settings.port';
import { SETTINGS } from '../movements-settings.port';
import { isTreasuryPayment } from '../settlement/treasury-gate';
import type { NumberedTransaction } from '../sending/due-transactions';
import { GiveUpUnsent } from '../unsent/give-up-unsent.service';
import { isOfSuspense } from '../suspense-sending/is-of-suspense.domain';
import { AccountWallets } from '../wallet/account-wallets.service';
import { ScreenTarget } from './screen-target.service';

/**
 * Screens targets again while their transactions wait to be signed (for a node, a release, a limit of the signer or the
 * treasury), because a sanctions list may name the address in the meantime. Our own wallets are not screened.
 */
@Injectable()
export class WaitingTargets {
  constructor(
    private readonly screening: ScreenTarget,
    private readonly wallets: AccountWallets,
    private readonly unsent: GiveUpUnsent,
    @Inject(SETTINGS) private readonly settings: MovementsSettings,
    @Inject(CLOCK) private readonly clock: Clock,
    @Inject(SYSTEM_CLOCK) private readonly systemClock: Clock,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * Removes the transactions whose target is under review, was refused or could not be screened, and gives up the
   * refused ones. A transaction that has a nonce or restores a lost one is signed in any case.
   */
  async removeUncleared<D extends NumberedTransaction>(transactions: readonly D[]): Promise<D[]> {
    const { screenAgainMs } = this.settings;
    const isOld = (clock: Clock, at: string | undefined): boolean =>
      at !== undefined && Date.parse(at) <= clock.now() - screenAgainMs;
    const kept = await Promise.all(
      transactions.map(async (due) => {
        const { restores, intendedAt, screenedAt } = due.intent;
        const isFresh = !isOld(this.systemClock, intendedAt) && !isOld(this.clock, screenedAt);
        if (due.numbered || restores !== undefined || isFresh) return true;
        try {
          return await this.isCleared(due);
        } catch (error) {
          const { transactionId } = due.intent;
          this.logger.warn(
            { err: error, ...logged(due.trace), transactionId },
            'a target could not be screened again; its transaction waits',
          );
          return false;
        }
      }),
    );
    return transactions.filter((_, at) => kept[at]);
  }

  private async isCleared(due: NumberedTransaction): Promise<boolean> {
    const { transactionId } = due.intent;
    switch (await this.outcomeOf(due)) {
      case 'clear':
        return true;
      case 'waits':
        this.logger.info(
          { ...logged(due.trace), transactionId },
          'a sanctions list names the target of a transaction that is not signed yet; it waits for a review',
        );
        return false;
      case 'refused':
        await this.giveUp(due);
        return false;
    }
  }

  private async outcomeOf({ intent, trace }: NumberedTransaction): Promise<ScreeningOutcome> {
    const { transactionId, chain, purpose } = intent;
    const commandId = derivedId('screen-waiting-target', transactionId, String(this.systemClock.now()));
    const context = { ...trace, commandId };
    // Staff can name another address for tokens in suspense, so there is no review.
    if (isOfSuspense(purpose)) return (await this.screening.isListed(purpose, context)) ? 'refused' : 'clear';
    const subject = subjectOf(purpose, isTreasuryPayment(chain, purpose));
    if (subject === null || purpose.kind === 'redemption') return 'clear';
    const { accountId, to: targetAddress } = purpose;
    const { asset, amount } = 'asset' in purpose ? purpose : { asset: null, amount: null };
    const receiver = await this.wallets.receiverAt(chain, targetAddress);
    const target = { accountId, chain, asset, amount, targetAddress, receiver };
    return this.screening.outcome(subject, target, context, commandId);
  }

  private async giveUp(due: NumberedTransaction): Promise<void> {
    const about = { ...logged(due.trace), transactionId: due.intent.transactionId };
    if (await this.unsent.giveUp(due, 'compliance'))
      this.logger.warn(about, 'a transaction whose target was refused is given up');
  }
}

/** The subject of the screening; null when nothing is sent to an address that a customer chose. */
function subjectOf(purpose: TransactionPurpose, isPaidByTreasury: boolean): AddressSubject | null {
  switch (purpose.kind) {
    case 'mint':
      return { kind: 'order', id: purpose.orderId };
    case 'token-movement': {
      const { kind, id } = purpose.owner;
      if (kind === 'suspense') return null;
      // An order moves tokens from wallets to the treasury (not screened), or the treasury pays it.
      return kind === 'order' && !isPaidByTreasury ? null : { kind, id };
    }
    case 'nft-movement':
      return { kind: 'nft-transfer', id: purpose.id };
    case 'redemption':
    case 'certificate-mint':
      return null;
  }
}
