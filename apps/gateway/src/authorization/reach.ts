import { isUuid } from '@ponte/kernel';
import { BoundedMap } from '../edge/bounded-map';
import { accessDenied } from '../errors/api-error';

/** An account keeps its parent for ever, so only memory bounds how many are remembered. */
const MAX_ACCOUNTS = 100_000;

/**
 * Who may act on whom: on itself, and on accounts whose parent it is. Everything else, a malformed id
 * too, is
 * one and the same 403.
 */
export class AccountReach {
  private readonly parents = new BoundedMap<string, Parent>(MAX_ACCOUNTS);

  /** `getParent` has to do the same work for an account that is there and for one that is not. */
  constructor(private readonly getParent: (accountId: string) => Promise<Parent | null>) {}

  /** Throws `account-access-denied` unless the caller may act on the account. */
  async check(callerAccountId: string, accountId: string): Promise<void> {
    if (accountId === callerAccountId) return;
    // The memory answers only for the parent. Everyone else waits for a look-up, as for an account that does not
    // exist: the time tells nothing.
    if (this.parents.get(accountId)?.parentId === callerAccountId) return;
    if (!isUuid(accountId)) throw accessDenied();
    const found = await this.learn(accountId);
    if (found?.parentId !== callerAccountId) throw accessDenied();
  }

  private async learn(accountId: string): Promise<Parent | null> {
    const found = await this.getParent(accountId);
    if (found) this.parents.set(accountId, { parentId: found.parentId });
    return found;
  }
}

interface Parent {
  readonly parentId: string | null;
}
