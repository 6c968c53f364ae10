import type { AccountRecord } from '@ponte/contracts';
import type { Clock } from '@ponte/kernel';
import { BoundedMap } from '../edge/bounded-map';
import { ApiError } from '../errors/api-error';

/** How long the caller's own account counts as active without another look, milliseconds. */
const FRESH_MS = 1_000;
const MAX_ACCOUNTS = 100_000;

/**
 * What a route does when the account is frozen. `service`: the service behind it checks the account acted on, in its
 * own decision.
 */
export type WhileFrozen = 'refused' | 'service' | 'allowed';

type Look = (accountId: string) => Promise<Pick<AccountRecord, 'status'> | null>;

/**
 * A frozen account can only be read: its commands are refused, whichever account its key acts on. The account acted on
 * is looked up at each command; the caller's account, where it is another one, once a second.
 */
export class AccountStandingCheck {
  private readonly activeUntil = new BoundedMap<string, number>(MAX_ACCOUNTS);

  constructor(
    private readonly look: Look,
    private readonly clock: Clock,
  ) {}

  /** Throws `account-not-active` when one of the two is frozen or closed. */
  async check(callerAccountId: string, accountId: string, whileFrozen: WhileFrozen): Promise<void> {
    if (whileFrozen === 'allowed') return;
    if (whileFrozen === 'refused') await this.assertActive(accountId);
    if (accountId !== callerAccountId) await this.assertRecentlyActive(callerAccountId);
  }

  private async assertRecentlyActive(accountId: string): Promise<void> {
    const now = this.clock.now();
    if ((this.activeUntil.get(accountId) ?? 0) > now) return;
    await this.assertActive(accountId);
    this.activeUntil.set(accountId, now + FRESH_MS);
  }

  private async assertActive(accountId: string): Promise<void> {
    const status = (await this.look(accountId))?.status;
    // What the account is not known as is for the service to say.
    if (status !== undefined && status !== 'active') throw new ApiError('account-not-active');
  }
}
