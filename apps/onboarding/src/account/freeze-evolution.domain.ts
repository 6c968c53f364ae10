import type { AccountEvent, AccountFreezeEvent } from '@ponte/contracts';
import { ACCOUNT_FREEZE_EVENTS } from '@ponte/contracts';
import type { OpenedAccount } from './account.state';
import { decided, frozenAutomatically, requested } from './standing.domain';

const FREEZE_EVENTS: ReadonlySet<string> = new Set(ACCOUNT_FREEZE_EVENTS.map(({ type }) => type));

export const isFreezeEvent = (event: AccountEvent): event is AccountFreezeEvent => FREEZE_EVENTS.has(event.type);

/** The account after an event of its freezing. `standing` keeps every request, its outcome and the freezes in force. */
export function evolveFreeze(state: OpenedAccount, event: AccountFreezeEvent): OpenedAccount {
  const { standing } = state;
  switch (event.type) {
    case 'AccountFreezeRequested':
      return { ...state, standing: requested(standing, 'freeze', event.data) };
    case 'AccountReleaseRequested':
      return { ...state, standing: requested(standing, 'release', event.data) };
    case 'AccountFrozen': {
      const { reason, evidence, requestedBy, confirmedBy, frozenAt } = event.data;
      const staff = [requestedBy, confirmedBy].filter((id): id is string => id !== null);
      const freezes = [...standing.freezes, { reason, evidence, requestedBy, confirmedBy, frozenAt }];
      const entry = { type: 'frozen', reason, staff, at: frozenAt } as const;
      const after = confirmedBy === null ? frozenAutomatically(standing, entry) : decided(standing, 'confirmed', entry);
      return { ...state, status: 'frozen', standing: { ...after, freezes } };
    }
    case 'AccountReleased': {
      const { reason, requestedBy, confirmedBy, releasedAt: at } = event.data;
      const after = decided(standing, 'confirmed', { type: 'released', reason, staff: [requestedBy, confirmedBy], at });
      return { ...state, status: 'active', standing: { ...after, freezes: [] } };
    }
    case 'AccountFreezeRequestClosed': {
      const { outcome, closedBy, closedAt: at } = event.data;
      return { ...state, standing: decided(standing, outcome, { type: outcome, reason: null, staff: [closedBy], at }) };
    }
  }
}
