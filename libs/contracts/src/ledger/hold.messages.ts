import type { AssetId } from '@ponte/kernel';
import { requestsOf } from '@ponte/event-sourcing';
import type { DecimalText, Timestamp } from '../shared';
import type { Hold, HoldSource } from './ledger-account-events';

const { command, query } = requestsOf('ledger');

/** What is known about the tokens of one wallet in one asset. The ledger itself only knows those of the account. */
export interface SourceFunds {
  /** What the wallet can pay: its balance on the chain, less what earlier movements will take from it. */
  readonly available: DecimalText;
  /** The sum of the open holds with this source, at or before the time of `available`. */
  readonly held: DecimalText;
  /** The sum of the open holds of withdrawals then, which any wallets may pay. Absent: not checked. */
  readonly withdrawals?: DecimalText;
}

/**
 * Idempotent by hold id. Refuses `insufficient-balance`. `funds` are those of the hold's source: the hold is then also
 * refused if they do not cover it and the holds, with this source or of withdrawals, that were placed since. The reply
 * has the source of the open hold, which an earlier request may have placed with another one.
 */
export const PlaceHold = command<
  { accountId: string; hold: Hold; funds?: SourceFunds },
  { holdId: string; source?: HoldSource }
>('place-hold', 'accountId');
/**
 * Releases a hold; a hold that is not open is left unchanged. The held payment of a charge cannot be released, only
 * posted or returned. `placed`: the hold is known to exist, so an account that does not know it yet is
 * `service-unavailable`.
 */
export const ReleaseHold = command<
  { accountId: string; holdId: string; reason: string; placed?: boolean },
  { released: boolean }
>('release-hold', 'accountId');
/** For an account with more open holds in an asset, it is not checked which wallets can pay: the chain decides. */
export const MAX_CHECKED_HOLDS = 200;

/** The open holds of an account in an asset, oldest first, at one revision of the account's stream. */
export const ListAccountHolds = query<{ accountId: string; asset: AssetId }, { holds: readonly Hold[] }>(
  'list-account-holds',
  'accountId',
);
/** The position of a hold in the order of placement, as a page cursor. */
export interface HoldCursor {
  readonly placedAt: Timestamp;
  readonly holdId: string;
}

/**
 * Open holds placed before a given time, which their owner may have forgotten; the owner's service decides what to do.
 * Held payments of charges are excluded.
 */
export const ListOpenHolds = query<
  { ownerKind: Hold['owner']['kind']; placedBefore: Timestamp; limit: number; after?: HoldCursor | null },
  { holds: readonly (Hold & { accountId: string; placedAt: Timestamp })[] }
>('list-open-holds');
