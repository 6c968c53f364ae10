import type { AccountClosingEvent, AccountEvent } from '@ponte/contracts';
import { ACCOUNT_CLOSING_EVENTS } from '@ponte/contracts';
import type { OpenedAccount } from '../account/account.state';
import { decided, requested } from '../account/standing.domain';

const CLOSING_EVENTS: ReadonlySet<string> = new Set(ACCOUNT_CLOSING_EVENTS.map(({ type }) => type));

export const isClosingEvent = (event: AccountEvent): event is AccountClosingEvent => CLOSING_EVENTS.has(event.type);

export function evolveClosing(state: OpenedAccount, event: AccountClosingEvent): OpenedAccount {
  const { standing } = state;
  switch (event.type) {
    case 'AccountClosingRequested':
      return { ...state, standing: requested(standing, 'close', event.data) };
    case 'AccountClosed': {
      const { reason, requestedBy, confirmedBy, closedAt } = event.data;
      const entry = { type: 'closed', reason, staff: [requestedBy, confirmedBy], at: closedAt } as const;
      return { ...state, status: 'closed', closedAt, standing: decided(standing, 'confirmed', entry) };
    }
    case 'ClosedAccountLossRecorded':
      return state;
  }
}
