import { Inject, Injectable } from '@nestjs/common';
import { GetAccountStanding, isBankCoordinates, stoppingReasonsOf } from '@ponte/contracts';
import type { MessageBus, RequestContext } from '@ponte/event-sourcing';
import { behindEvent } from '@ponte/event-sourcing';
import { MESSAGE_BUS } from '@ponte/nest';
import type { DepositFacts } from '../deposit/deposit.state';

/** Tells which payments may not go back to their payers because of a freeze. */
@Injectable()
export class StoppedPayers {
  constructor(@Inject(MESSAGE_BUS) private readonly bus: MessageBus) {}

  /**
   * Whether the payer is the holder of the account, and money must not leave the account. The money of other payers is
   * not the account's, and goes back to them.
   */
  async isStopped({ accountId, coordinates }: DepositFacts, context: RequestContext): Promise<boolean> {
    if (accountId === null || !isBankCoordinates(coordinates)) return false;
    const standing = await this.bus.request(GetAccountStanding, { accountId }, context);
    // The deposit names the account because it was found when the payment came in.
    if (!standing) return behindEvent(`account ${accountId}`, 'absent');
    return (
      coordinates.sourceTaxIdFingerprint === standing.account.taxIdFingerprint && stoppingReasonsOf(standing).length > 0
    );
  }
}
