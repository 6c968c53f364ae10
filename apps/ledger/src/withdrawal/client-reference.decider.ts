import type { ClientReferenceEvent, Timestamp } from '@ponte/contracts';
import { ClientReferenceReleased, ClientReferenceReserved } from '@ponte/contracts';
import type { Decider } from '@ponte/event-sourcing';
import { derivedId, refuse } from '@ponte/kernel';

/** The stream id for an account's external id of a withdrawal. The withdrawal alone stores the external id itself. */
export const clientReferenceId = (accountId: string, externalId: string): string =>
  derivedId('client-reference', accountId, 'withdrawal', externalId);

type ClientReference =
  | { readonly status: 'free' }
  | {
      readonly status: 'reserved';
      readonly accountId: string;
      readonly withdrawalId: string;
      readonly holdId: string;
      readonly since: Timestamp;
    };

type Claim = ClientReferenceReleased['data'];
type ClientReferenceCommand =
  /** `void`: the hold of an abandoned claim. No withdrawal can use it, so its reservation may be taken over. */
  | ({ readonly kind: 'reserve'; readonly now: Timestamp; readonly void: string | null } & Claim)
  | ({ readonly kind: 'release' } & Claim);

export const refuseUsedReference = (): never =>
  refuse(
    'external-id-already-used',
    'the account has already used this external id for another withdrawal',
    'external-id',
  );

/** The reservation of an external id. Reserved before the withdrawal is created, and released if it is not created. */
export const clientReference: Decider<ClientReferenceCommand, ClientReference, ClientReferenceEvent> = {
  category: 'clientReference',
  initial: { status: 'free' },
  events: [ClientReferenceReserved, ClientReferenceReleased],
  decide(command, state) {
    const { accountId, withdrawalId, holdId } = command;
    switch (command.kind) {
      case 'reserve': {
        if (state.status === 'reserved' && state.holdId === holdId) return [];
        if (state.status === 'reserved' && state.withdrawalId !== withdrawalId && state.holdId !== command.void)
          return refuseUsedReference();
        return [new ClientReferenceReserved({ accountId, withdrawalId, holdId, reservedAt: command.now })];
      }
      case 'release':
        return state.status === 'reserved' && state.holdId === holdId
          ? [new ClientReferenceReleased({ accountId, withdrawalId, holdId })]
          : [];
    }
  },
  evolve(_state, event) {
    const { accountId, withdrawalId, holdId } = event.data;
    switch (event.type) {
      case 'ClientReferenceReserved':
        return { status: 'reserved', accountId, withdrawalId, holdId, since: event.data.reservedAt };
      case 'ClientReferenceReleased':
        return { status: 'free' };
    }
  },
};
