import { Inject, Injectable } from '@nestjs/common';
import { GetAccount, GetAccountParent } from '@ponte/contracts';
import type { Clock } from '@ponte/kernel';
import { isUuid, lruCache } from '@ponte/kernel';
import { SYSTEM_CLOCK } from '@ponte/nest';
import type { WhileFrozen } from '../edge/route-policy';
import { Services } from '../edge/request-context.service';
import { ApiError, accessDenied } from '../errors/api-error';

const MAX_ACCOUNTS = 100_000;
/** How long the caller's own account counts as active without another look-up, in milliseconds. */
const FRESH_MS = 1_000;

/** Checks which accounts a caller may act on, and whether these accounts are active. */
@Injectable()
export class AccountAccess {
  /** The parents of sub-accounts. An account's parent never changes, so entries need no expiry. */
  private readonly parents = lruCache<string, string>(MAX_ACCOUNTS);
  private readonly activeUntil = lruCache<string, number>(MAX_ACCOUNTS);

  constructor(
    @Inject(Services) private readonly services: Pick<Services, 'lookUp'>,
    @Inject(SYSTEM_CLOCK) private readonly systemClock: Clock,
  ) {}

  /**
   * Throws `account-access-denied` unless the account is the caller's own or a sub-account of it. All other cases,
   * including a malformed id, get the same 403.
   */
  async checkReach(callerAccountId: string, accountId: string): Promise<void> {
    if (accountId === callerAccountId) return;
    // Only the parent is answered from memory. All other callers wait for a look-up, which takes the same time for an
    // account that does not exist, so that the timing reveals nothing.
    if (this.parents.get(accountId) === callerAccountId) return;
    if (!isUuid(accountId)) throw accessDenied();
    const found = await this.services.lookUp(GetAccountParent, { accountId });
    if (found?.parentId) this.parents.set(accountId, found.parentId);
    if (found?.parentId !== callerAccountId) throw accessDenied();
  }

  /**
   * Throws `account-not-active` if one of the two accounts is frozen or closed. A frozen account is read-only: its
   * commands are refused, and so are commands of its keys on other accounts. The account acted on is looked up for each
   * command; the caller's account, if it is another one, once a second.
   */
  async checkStanding(callerAccountId: string, accountId: string, whileFrozen: WhileFrozen): Promise<void> {
    if (whileFrozen === 'allowed') return;
    if (whileFrozen === 'refused') await this.assertActive(accountId);
    if (accountId === callerAccountId) return;
    const now = this.systemClock.now();
    if ((this.activeUntil.get(callerAccountId) ?? 0) > now) return;
    await this.assertActive(callerAccountId);
    this.activeUntil.set(callerAccountId, now + FRESH_MS);
  }

  private async assertActive(accountId: string): Promise<void> {
    const status = (await this.services.lookUp(GetAccount, { accountId }))?.status;
    // For an account that is not known, the service decides.
    if (status !== undefined && status !== 'active') throw new ApiError('account-not-active');
  }
}
