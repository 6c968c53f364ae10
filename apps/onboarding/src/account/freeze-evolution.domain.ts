import type { AccountEvent, AccountFreezeEvent, StandingEntry } from '@ponte/contracts';
import { ACCOUNT_FREEZE_EVENTS } from '@ponte/contracts';
import type { DecidedFreezeStep, OpenedAccount, Standing } from './account.state';

const FREEZE_EVENTS: ReadonlySet<string> = new Set(ACCOUNT_FREEZE_EVENTS.map(({ type }) => type));

export const isFreezeEvent = (event: AccountEvent): event is AccountFreezeEvent => FREEZE_EVENTS.has(event.type);

export function evolveFreeze(state: OpenedAccount, event: AccountFreezeEvent): OpenedAccount {
  const { standing } = state;
  const noted = (entry: StandingEntry) => ({ ...standing, history: [...standing.history, entry] });
  switch (event.type) {
    case 'AccountFreezeRequested':
    case 'AccountReleaseRequested': {
      const { reason, evidence, requestedBy, requestedAt } = event.data;
      const step = event.type === 'AccountFreezeRequested' ? 'freeze' : 'release';
      const request = standing.requests + 1;
      return {
        ...state,
        standing: {
          ...noted({ type: `${step}-requested`, reason, staff: [requestedBy], at: requestedAt }),
          requests: request,
          pending: { request, step, reason, evidence, requestedBy, requestedAt },
        },
      };
    }
    case 'AccountFrozen': {
      const { reason, evidence, requestedBy, confirmedBy, frozenAt } = event.data;
      const staff = [requestedBy, confirmedBy].filter((id): id is string => id !== null);
      const freezes = [...standing.freezes, { reason, evidence, requestedBy, confirmedBy, frozenAt }];
      return {
        ...state,
        status: 'frozen',
        standing: {
          ...noted({ type: 'frozen', reason, staff, at: frozenAt }),
          freezes,
          pending: null,
          decided: confirmedBy === null ? standing.decided : decided(standing, 'confirmed', confirmedBy),
        },
      };
    }
    case 'AccountReleased': {
      const { reason, requestedBy, confirmedBy, releasedAt } = event.data;
      return {
        ...state,
        status: 'active',
        standing: {
          ...noted({ type: 'released', reason, staff: [requestedBy, confirmedBy], at: releasedAt }),
          freezes: [],
          pending: null,
          decided: decided(standing, 'confirmed', confirmedBy),
        },
      };
    }
    case 'AccountFreezeRequestClosed': {
      const { outcome, closedBy, closedAt } = event.data;
      return {
        ...state,
        standing: {
          ...noted({ type: outcome, reason: null, staff: [closedBy], at: closedAt }),
          pending: null,
          decided: decided(standing, outcome, closedBy),
        },
      };
    }
  }
}

/** A decision about the pending request. */
const decided = (
  { pending, decided: before }: Standing,
  outcome: DecidedFreezeStep['outcome'],
  staffId: string,
): DecidedFreezeStep | null =>
  pending === null ? before : { request: pending.request, step: pending.step, outcome, staffId };
