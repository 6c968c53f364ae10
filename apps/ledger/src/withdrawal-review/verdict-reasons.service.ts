import { Inject, Injectable } from '@nestjs/common';
import { openVerdictReason } from '@ponte/contracts';
import type { PersonalData, RequestContext, Sealed } from '@ponte/event-sourcing';
import { SubjectErased } from '@ponte/event-sourcing';
import { refuse } from '@ponte/kernel';
import { PERSONAL_DATA } from '@ponte/nest';
import { Accounts } from '../deposit/pix-accounts.service';

/** Seals what staff write about an address under the holder of the account, so that it is erased with the holder. */
@Injectable()
export class VerdictReasons {
  constructor(
    private readonly accounts: Accounts,
    @Inject(PERSONAL_DATA) private readonly personalData: PersonalData,
  ) {}

  /**
   * Seals a reason that arrives sealed for transit. Refuses `account-not-found` and `person-erased`. Throws a TypeError
   * if it was not sealed for transit.
   */
  async sealed(accountId: string, inTransit: Sealed, context: RequestContext): Promise<Sealed> {
    const text = await openVerdictReason(this.personalData, inTransit);
    const holder = await this.accounts.holder(accountId, context);
    if (!holder) return refuse('account-not-found', 'there is no such account', 'account-id');
    try {
      return await this.personalData.seal(holder.holderId, text);
    } catch (error) {
      if (!(error instanceof SubjectErased)) throw error;
      return refuse('person-erased', "the data of the account's holder was permanently erased");
    }
  }
}
