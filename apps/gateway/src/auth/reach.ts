import type { AccountRecord } from '@ponte/contracts';
import type { MaybeLater } from '@ponte/kernel';
import { isUuid } from '@ponte/kernel';
import { BoundedMap } from '../edge/bounded-map';
import { accessDenied } from '../errors/api-error';

/** An account keeps its parent for ever, so only memory bounds how many are remembered. */
const MAX_ACCOUNTS = 100_000;

/**
 * Who may act on whom, contract §2: on itself, and on accounts whose parent it is. Everything else, a malformed id too, is
 * one and the same 403.
 */
export class AccountReach {
  private readonly parents = new BoundedMap<string, Parent>(MAX_ACCOUNTS);

  constructor(private readonly getAccount: (accountId: string) => Promise<Pick<AccountRecord, 'parentId'> | null>) {}

  /** Throws `account-access-denied` unless the caller may act on the account. */
  check(callerAccountId: string, accountId: string): MaybeLater<void> {
    if (accountId === callerAccountId) return undefined;
    const known = this.parents.get(accountId);
    if (known) return judge(known, callerAccountId);
    if (!isUuid(accountId)) throw accessDenied();
    return this.learn(accountId).then((found) => judge(found, callerAccountId));
  }

  private async learn(accountId: string): Promise<Parent | null> {
    const record = await this.getAccount(accountId);
    if (!record) return null;
    const found = { parentId: record.parentId };
    this.parents.set(accountId, found);
    return found;
  }
}

interface Parent { readonly parentId: string | null }

function judge(found: Parent | null, callerAccountId: string): void {
  if (found?.parentId !== callerAccountId) throw accessDenied();
}
