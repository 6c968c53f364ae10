import { Inject, Injectable } from '@nestjs/common';
import { GetAccount, GetAccountParent } from '@ponte/contracts';
import type { Clock } from '@ponte/kernel';
import { isUuid } from '@ponte/kernel';
import { SYSTEM_CLOCK } from '@ponte/nest';
import { BoundedMap } from '../edge/bounded-map';
import type { WhileFrozen } from '../edge/request-context';
import { Services } from '../edge/services';
import { ApiError, accessDenied } from '../errors/api-error';

const MAX_ACCOUNTS = 100_000;
/** How long the caller's own account counts as active without another look, milliseconds. */
const FRESH_MS = 1_000;

/** Which accounts a caller may act on, and whether they may act at all. */
@Injectable()
export class AccountAccess {
  /** An account keeps its parent for ever, so only memory bounds how many are remembered. */
  private readonly parents = new BoundedMap<string, string | null>(MAX_ACCOUNTS);
  private readonly activeUntil = new BoundedMap<string, number>(MAX_ACCOUNTS);

  constructor(
    @Inject(Services) private readonly services: Pick<Services, 'lookUp'>,
    @Inject(SYSTEM_CLOCK) private readonly systemClock: Clock,
  ) {}

  /**
   * Throws `account-access-denied` unless the caller may act on the account: its own, or one whose parent it is.
   * Everything else, a malformed id too, is one and the same 403.
   */
  async checkReach(callerAccountId: string, accountId: string): Promise<void> {
    if (accountId === callerAccountId) return;
    // The memory answers only for the parent. Everyone else waits for a look-up, which does the same work for an
    // account that does not exist: the time tells nothing.
    if (this.parents.get(accountId) === callerAccountId) return;
    if (!isUuid(accountId)) throw accessDenied();
    const found = await this.services.lookUp(GetAccountParent, { accountId });
    if (found) this.parents.set(accountId, found.parentId);
    if (found?.parentId !== callerAccountId) throw accessDenied();
  }

  /**
   * Throws `account-not-active` when one of the two accounts is frozen or closed. A frozen account can only be read:
   * its commands are refused, whichever account its key acts on. The account acted on is looked up at each command;
   * the caller's account, where it is another one, once a second.
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
    // What the account is not known as is for the service to say.
    if (status !== undefined && status !== 'active') throw new ApiError('account-not-active');
  }
}
