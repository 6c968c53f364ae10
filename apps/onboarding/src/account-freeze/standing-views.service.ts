import { Injectable } from '@nestjs/common';
import type { AccountStanding, StaffActor, ViewPurpose } from '@ponte/contracts';
import type { RequestContext } from '@ponte/event-sourcing';
import { Refusal } from '@ponte/kernel';
import { accountStanding } from '../account/accounts.service';
import type { OpenedAccount } from '../account/account.state';
import { Persons } from '../person/persons.service';

interface StandingView {
  readonly staff: StaffActor;
  readonly purpose: ViewPurpose;
  readonly showsReasons: boolean;
}

/** Shows staff the evidence in the standing of an account, after the view of it is recorded. */
@Injectable()
export class StandingViews {
  constructor(private readonly persons: Persons) {}

  /**
   * Refuses `role-not-allowed` and `personal-data-restricted`. Without evidence there is no view to record, unless the
   * caller shows reasons of address verdicts, which are sealed under the holder too.
   */
  async open(
    state: OpenedAccount,
    { staff, purpose, showsReasons }: StandingView,
    context: RequestContext,
  ): Promise<AccountStanding> {
    const {
      standing: { pending, freezes },
      terms: { holderId },
    } = state;
    const hasEvidence =
      showsReasons || [...freezes, ...(pending ? [pending] : [])].some(({ evidence }) => evidence !== null);
    const view = { staff, purpose, what: 'account-standing', requestId: null, fileId: null, note: null } as const;
    if (hasEvidence) await this.persons.view(holderId, view, context);
    else this.persons.mayView(staff, purpose, await this.persons.load(holderId));
    return { ...accountStanding(state), pending, freezes };
  }

  /**
   * After a step of a reviewer. A step is possible while the holder's data is restricted; it shows no evidence then.
   */
  async afterStep(state: OpenedAccount, staff: StaffActor, context: RequestContext): Promise<AccountStanding> {
    try {
      return await this.open(state, { staff, purpose: 'review', showsReasons: false }, context);
    } catch (error) {
      if (error instanceof Refusal && error.code === 'personal-data-restricted') return accountStanding(state);
      throw error;
    }
  }
}
