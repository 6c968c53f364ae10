import type { LedgerAccountEvent } from '@ponte/contracts';
import { behindEvent } from '@ponte/event-sourcing';
import { fromIso } from '@ponte/kernel';
import type { LedgerAccount } from './ledger-account.state';

/** A decision depends on ids that the account may have forgotten. The repository looks them up in the log. */
export class IdsForgotten extends Error {
  override readonly name = 'IdsForgotten';
  constructor(
    readonly ids: readonly string[],
    /** Only events before this time can have the ids, in epoch milliseconds. */
    readonly before: number,
  ) {
    super('the account may have forgotten the ids of an old step');
  }
}

/** Throws {@link IdsForgotten} if a posting that is not known could have been made before the account forgot ids. */
export function assertRemembered(
  { taken: { forgotBefore } }: LedgerAccount,
  since: string | undefined,
  ids: readonly string[],
): void {
  if (since !== undefined && forgotBefore !== null && fromIso(since) < forgotBefore)
    throw new IdsForgotten(ids, forgotBefore);
}

/**
 * Throws if the account does not know the hold. Its caller knows that it was placed, so the account has forgotten it,
 * or this is an old state. `postingIds`: the postings that may have ended the hold.
 */
export function assertKnown({ holds, taken }: LedgerAccount, holdId: string, ...postingIds: readonly string[]): void {
  if (taken.has(holdId) || holds.get(holdId)) return;
  const { forgotBefore } = taken;
  if (forgotBefore === null) return behindEvent(`hold ${holdId}`, 'not placed');
  throw new IdsForgotten([holdId, ...postingIds], forgotBefore);
}

/** The ids of holds and postings that an event takes, so that nothing else can have them. */
export function idsTakenBy(event: LedgerAccountEvent): readonly string[] {
  switch (event.type) {
    case 'HoldReleased':
      return [];
    case 'HoldPlaced':
      return [event.data.hold.holdId];
    case 'DepositPostedAndHeld':
      return [event.data.postingId, event.data.hold.holdId];
    case 'ExchangePosted': {
      const { postingId, deliveryHold } = event.data;
      return deliveryHold ? [postingId, deliveryHold.holdId] : [postingId];
    }
    default:
      return [event.data.postingId];
  }
}
