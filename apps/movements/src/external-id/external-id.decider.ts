import type { MovementExternalIdEvent, Timestamp } from '@ponte/contracts';
import { MovementExternalIdReleased, MovementExternalIdTaken } from '@ponte/contracts';
import type { Decider } from '@ponte/event-sourcing';
import { addSeconds, derivedId, refuse } from '@ponte/kernel';

/** Token transfers and NFT transfers have separate external ids. */
export type ExternalIdKind = 'transfer' | 'nft-transfer';

/** Stream id of an account's external id for transfers of a kind. Only the transfer has the text itself. */
export const externalIdStream = (accountId: string, externalId: string, kind: ExternalIdKind = 'transfer'): string =>
  derivedId('external-id', accountId, kind, externalId);

export type ExternalId =
  { readonly status: 'free' } | { readonly status: 'taken'; readonly resourceId: string; readonly takenAt: Timestamp };

export type ExternalIdCommand =
  /** `unused`: the id of a transfer that was found not to exist. */
  | {
      readonly kind: 'take';
      readonly accountId: string;
      readonly resourceId: string;
      readonly unused: string | null;
      readonly at: Timestamp;
    }
  | { readonly kind: 'release'; readonly accountId: string; readonly resourceId: string };

/** No request is in flight for longer: requests have a deadline of seconds. */
const ON_ITS_WAY_SECONDS = 120;

/** Whether another transfer has it or may still get it. */
export const usedByAnother = (state: ExternalId, resourceId: string, unused: string | null, at: Timestamp): boolean =>
  state.status === 'taken' &&
  state.resourceId !== resourceId &&
  !(state.resourceId === unused && at >= addSeconds(state.takenAt, ON_ITS_WAY_SECONDS));

/** An external id is taken before its transfer is created. If no transfer followed, another can take it over. */
export const movementExternalId: Decider<ExternalIdCommand, ExternalId, MovementExternalIdEvent> = {
  category: 'movementExternalId',
  initial: { status: 'free' },
  events: [MovementExternalIdTaken, MovementExternalIdReleased],
  decide(command, state) {
    const { accountId, resourceId } = command;
    switch (command.kind) {
      case 'take':
        if (usedByAnother(state, resourceId, command.unused, command.at)) {
          refuse(
            'external-id-already-used',
            'the account has used this external id for another transfer',
            'external-id',
          );
        }
        if (state.status === 'taken' && state.resourceId === resourceId) return [];
        return [new MovementExternalIdTaken({ accountId, resourceId, takenAt: command.at })];
      case 'release':
        return state.status === 'taken' && state.resourceId === resourceId
          ? [new MovementExternalIdReleased({ accountId, resourceId })]
          : [];
    }
  },
  evolve(_state, event) {
    switch (event.type) {
      case 'MovementExternalIdTaken':
        return { status: 'taken', resourceId: event.data.resourceId, takenAt: event.data.takenAt };
      case 'MovementExternalIdReleased':
        return { status: 'free' };
    }
  },
};
