import { Inject, Injectable } from '@nestjs/common';
import type { RequestContext } from '@ponte/event-sourcing';
import { logged } from '@ponte/event-sourcing';
import { Unavailable } from '@ponte/kernel';
import { LOGGER } from '@ponte/nest';
import type { Logger } from 'pino';
import type { Deposit, DepositFacts, Refund } from '../deposit/deposit.state';
import { refundOf } from '../deposit/deposit.state';
import { Deposits } from '../deposit/deposits.repository';
import { step } from '../steps';
import { StoppedPayers } from './stopped-payers.service';

/** Blocks the return of a payment by the holder of a frozen account while money must not leave the account. */
@Injectable()
export class BlockReturns {
  constructor(
    private readonly deposits: Deposits,
    private readonly payers: StoppedPayers,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /**
   * The return that is to be requested from the bank; null if nothing is due, or it is blocked.
   * `ascertain` records the return if the bank has executed it: it may have been requested before the freeze.
   */
  async returnToRequest(
    state: Deposit,
    ascertain: () => Promise<void>,
    context: RequestContext,
  ): Promise<Refund | null> {
    const refund = refundOf(state);
    if (state.status === 'none' || refund?.state !== 'due') return null;
    const isBlocked = await this.payers.isStopped(state.facts, context);
    const isNoted = refund.blockedAt !== undefined;
    if (isBlocked === isNoted) return isBlocked ? null : refund;
    if (isBlocked && !(await this.isAscertained(state.facts, ascertain, context))) return null;
    const { depositId } = state.facts;
    const kind = isBlocked ? 'block-return' : 'unblock-return';
    const after = await this.deposits.execute(
      depositId,
      (now) => ({ kind, now }),
      // A return may be blocked again after it was unblocked.
      step(context, kind, refund.returnId, refund.unblockedAt ?? ''),
    );
    // Meanwhile the bank may have taken the payment back, or executed the return.
    const left = refundOf(after);
    if (left?.state !== 'due') return null;
    if (!isBlocked) return left.blockedAt === undefined ? left : null;
    this.logger.warn(
      { ...logged(context), depositId },
      'a payment is not returned to the holder of its frozen account before the release',
    );
    return null;
  }

  /** False while the bank does not say what it did with the return, or still processes it: the next run asks again. */
  private async isAscertained(
    { depositId }: DepositFacts,
    ascertain: () => Promise<void>,
    context: RequestContext,
  ): Promise<boolean> {
    try {
      await ascertain();
      return true;
    } catch (error) {
      if (!(error instanceof Unavailable)) throw error;
      this.logger.warn(
        { ...logged(context), depositId },
        'the bank does not say whether it has executed the return of a frozen account; it is asked again',
      );
      return false;
    }
  }
}
