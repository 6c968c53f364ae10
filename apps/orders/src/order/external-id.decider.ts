import type { ExternalIdEvent, Timestamp } from '@ponte/contracts';
import { ExternalIdReleased, ExternalIdReserved } from '@ponte/contracts';
import type { Decider } from '@ponte/event-sourcing';
import { Refusal, addSeconds, derivedId } from '@ponte/kernel';

/** The stream of an account's external id for orders. It is keyed by a hash; only the order stores the text itself. */
export const externalIdStream = (accountId: string, externalId: string): string =>
  derivedId('external-id', accountId, 'order', externalId);

/** The stream of an idempotency key. `keyHash` contains its scope, so the key is unique by caller and account. */
export const keyStream = (keyHash: string): string => derivedId('order-key', keyHash);

/**
 * `claims` lists the funding ids of the acceptances that reserved the external id for the order. The order may have
 * been placed with one of them.
 */
export type ExternalId =
  | { readonly status: 'free' }
  | {
      readonly status: 'reserved';
      readonly accountId: string;
      readonly orderId: string;
      readonly until: Timestamp;
      readonly claims: readonly string[];
    };

type Claim = ExternalIdReleased['data'];

export interface Reserve extends Claim {
  readonly kind: 'reserve';
  readonly until: Timestamp;
  readonly at: Timestamp;
  /** The order that a look-up found not to have been placed with any of the claims, if there is one. */
  readonly unused: string | null;
  readonly refusals: Refusals;
}
interface Release extends Claim {
  readonly kind: 'release';
}
type ExternalIdCommand = Reserve | Release;

export const EXTERNAL_ID_USED = {
  code: 'external-id-already-used',
  path: 'external-id',
  message: 'the account has used this external id for another order',
} as const;
const KEY_REUSED = {
  code: 'idempotency-key-reused',
  path: '',
  message: 'the idempotency key was used for the order of another quote',
} as const;
/** Unlike the other two, the gateway does not store this refusal, so the request can be repeated. */
const KEY_IN_PROGRESS = {
  code: 'idempotency-in-progress',
  path: '',
  message: 'another request with the idempotency key may still place the order of another quote',
} as const;

/** What a refusal says if the order of another quote was placed with an external id or a key, or may still be. */
export const EXTERNAL_ID_REFUSALS = { placed: EXTERNAL_ID_USED, pending: EXTERNAL_ID_USED } as const;
export const KEY_REFUSALS = { placed: KEY_REUSED, pending: KEY_IN_PROGRESS } as const;
type Refusals = typeof EXTERNAL_ID_REFUSALS | typeof KEY_REFUSALS;

/** Seconds after the end of its quote until which an acceptance may run. Requests have deadlines of seconds. */
const MAX_IN_FLIGHT_SECONDS = 120;

/**
 * Why another order keeps the external id or key: it was placed with it, or may still be. Null if none keeps it.
 */
export function conflictOf(
  state: ExternalId,
  orderId: string,
  at: Timestamp,
  unused: string | null,
): keyof Refusals | null {
  if (state.status === 'free' || state.orderId === orderId) return null;
  if (state.orderId !== unused) return 'placed';
  return at >= addSeconds(state.until, MAX_IN_FLIGHT_SECONDS) ? null : 'pending';
}

/**
 * An external id or an idempotency key is reserved before its order is placed. The reservation ends if the order is not
 * placed: at once, or after a crash, once its quote has been over for two minutes.
 */
export const externalId: Decider<ExternalIdCommand, ExternalId, ExternalIdEvent> = {
  category: 'externalId',
  initial: { status: 'free' },
  events: [ExternalIdReserved, ExternalIdReleased],
  decide(command, state) {
    switch (command.kind) {
      case 'reserve':
        return reserve(command, state);
      case 'release':
        return release(command, state);
    }
  },
  evolve(state, event) {
    const { accountId, orderId, fundingId } = event.data;
    const others = state.status === 'reserved' ? state.claims.filter((one) => one !== fundingId) : [];
    switch (event.type) {
      case 'ExternalIdReserved':
        return { status: 'reserved', accountId, orderId, until: event.data.until, claims: [...others, fundingId] };
      case 'ExternalIdReleased':
        return state.status === 'reserved' && others.length > 0 ? { ...state, claims: others } : { status: 'free' };
    }
  },
};

function reserve(
  { accountId, orderId, fundingId, until, at, unused, refusals }: Reserve,
  state: ExternalId,
): ExternalIdEvent[] {
  const claim = new ExternalIdReserved({ accountId, orderId, fundingId, until });
  if (state.status === 'free') return [claim];
  const conflict = conflictOf(state, orderId, at, unused);
  if (conflict !== null) throw new Refusal([refusals[conflict]]);
  if (state.orderId === orderId) return state.claims.includes(fundingId) ? [] : [claim];
  const { accountId: by, orderId: other, claims } = state;
  return [...claims.map((one) => new ExternalIdReleased({ accountId: by, orderId: other, fundingId: one })), claim];
}

function release({ orderId, fundingId }: Release, state: ExternalId): ExternalIdEvent[] {
  if (state.status === 'free' || state.orderId !== orderId || !state.claims.includes(fundingId)) return [];
  return [new ExternalIdReleased({ accountId: state.accountId, orderId, fundingId })];
}
