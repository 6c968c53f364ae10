import type { AccountRecord, FreezeReason, GetAccountStanding } from '@ponte/contracts';
import type { ReplyOf } from '@ponte/event-sourcing';

/** Why accounts are frozen, as onboarding knows it. */
export class SimulatedFreezes {
  /** By account. */
  readonly reasons = new Map<string, readonly FreezeReason[]>();
  /** The reason of a freeze that waits for a second staff member, of any account. */
  pending: FreezeReason | null = null;

  standingOf(account: AccountRecord | undefined): ReplyOf<typeof GetAccountStanding> {
    if (!account) return null;
    const pending = this.pending && { step: 'freeze', reason: this.pending };
    const freezes = (this.reasons.get(account.accountId) ?? []).map((reason) => ({ reason }));
    return { account, pending, freezes, history: [] } as unknown as ReplyOf<typeof GetAccountStanding>;
  }
}
