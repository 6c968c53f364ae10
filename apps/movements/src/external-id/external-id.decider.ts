import type { MovementExternalIdEvent, Timestamp } from '@ponte/contracts';
import { MovementExternalIdReleased, MovementExternalIdTaken } from '@ponte/contracts';
import type { Decider } from '@ponte/event-sourcing';
import { addSeconds, derivedId, refuse } from '@ponte/kernel';

/** Token transfers and NFT transfers have separate external ids. */
export type ExternalIdKind = 'transfer' | 'nft-transfer';

/** Stream id of an account's external id for transfers of a kind. Only the transfer has the text itself. */
export const externalIdStream = (accountId: string, externalId: string, kind: ExternalIdKind = 'transfer'): string =>
  derivedId('external-id', accountId, kind, externalId);

/**
 * `claims` lists the attempts to create the transfer that have not ended without it. The transfer may have been created
 * by one of them. `takenAt` is the time of the latest claim.
 */
type ExternalId =
  | { readonly status: 'free' }
  | {
      readonly status: 'taken';
      readonly resourceId: string;
      readonly takenAt: Timestamp;
      readonly claims: readonly string[];
    };

interface Claim {
  readonly accountId: string;
  readonly resourceId: string;
  readonly claimId: string;
}

type ExternalIdCommand =
  /** `unused`: the id of a transfer that was found not to exist, or to have another external id. */
  | (Claim & { readonly kind: 'take'; readonly unused: string | null; readonly at: Timestamp })
  | (Claim & { readonly kind: 'release' });

/** No request is in flight for longer: requests have a deadline of seconds. */
const MAX_IN_FLIGHT_SECONDS = 120;

/** Whether another transfer has it or may still get it. */
export const usedByAnother = (state: ExternalId, resourceId: string, unused: string | null, at: Timestamp): boolean =>
  state.status === 'taken' &&
  state.resourceId !== resourceId &&
  !(state.resourceId === unused && at >= addSeconds(state.takenAt, MAX_IN_FLIGHT_SECONDS));

/**
 * An external id is taken before its transfer is created, once for each attempt: an attempt that is refused releases
 * its own claim only, since another attempt may be creating the transfer. If no transfer followed, another one can take
 * the external id over.
 */
export const movementExternalId: Decider<ExternalIdCommand, ExternalId, MovementExternalIdEvent> = {
  category: 'movementExternalId',
  initial: { status: 'free' },
  events: [MovementExternalIdTaken, MovementExternalIdReleased],
  decide(command, state) {
    const { accountId, resourceId, claimId } = command;
    const isHeld = state.status === 'taken' && state.resourceId === resourceId && state.claims.includes(claimId);
    switch (command.kind) {
      case 'take':
        if (usedByAnother(state, resourceId, command.unused, command.at)) {
          refuse(
            'external-id-already-used',
            'the account has used this external id for another transfer',
            'external-id',
          );
        }
        return isHeld ? [] : [new MovementExternalIdTaken({ accountId, resourceId, claimId, takenAt: command.at })];
      case 'release':
        return isHeld ? [new MovementExternalIdReleased({ accountId, resourceId, claimId })] : [];
    }
  },
  evolve(state, event) {
    const { resourceId, claimId } = event.data;
    const isSame = state.status === 'taken' && state.resourceId === resourceId;
    const others = isSame ? state.claims.filter((one) => one !== claimId) : [];
    switch (event.type) {
      case 'MovementExternalIdTaken':
        return { status: 'taken', resourceId, takenAt: event.data.takenAt, claims: [...others, claimId] };
      case 'MovementExternalIdReleased':
        return isSame && others.length > 0 ? { ...state, claims: others } : { status: 'free' };
    }
  },
};
