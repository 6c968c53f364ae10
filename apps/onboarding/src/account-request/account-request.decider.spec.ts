import * as contracts from '@ponte/contracts';
import { scenario } from '@ponte/event-sourcing';
import type { AccountRequestCommand } from './account-request.decider';
import { accountRequest } from './account-request.decider';
import {
  AT,
  DAY,
  about,
  requested,
  screening,
  hit,
  screened,
  review,
  approved,
  cancelled,
  analyst,
  given,
  record,
} from '../testing/request-history';

const informationRequested = new contracts.InformationRequested({
  ...about,
  items: ['document'],
  issues: [],
  requestedAt: AT,
  dueAt: DAY,
});
const provided = new contracts.InformationProvided({
  ...about,
  holder: { address: null, document: null },
  representative: { address: null, document: null, powerOfAttorneyFileId: null },
  liveness: null,
  otherFileIds: [],
  note: null,
  providedAt: AT,
});
const by = (kind: 'approve' | 'claim' | 'reject', staff = analyst): AccountRequestCommand => ({
  kind: 'review',
  command:
    kind === 'approve'
      ? { kind, staff, version: 0, note: null, at: AT }
      : kind === 'claim'
        ? { kind, staff, takeOver: false, at: AT }
        : { kind, staff, version: 1, reason: 'pep', note: null, at: AT },
});

describe('An account request', () => {
  it('is created once, and never after it was abandoned', () => {
    const make: AccountRequestCommand = { kind: 'request', terms: requested().data };
    expect(given().types(make)).toEqual(['AccountRequested']);
    expect(given(requested()).types(make)).toEqual([]);
    expect(given().types({ kind: 'abandon', requestId: 'r', at: AT })).toEqual(['AccountRequestAbandoned']);
    expect(given(new contracts.AccountRequestAbandoned({ requestId: 'r', abandonedAt: AT })).types(make)).toEqual([]);
    expect(given(requested()).types({ kind: 'abandon', requestId: 'r', at: AT })).toEqual([]);
    expect(accountRequest.creation).toBe(contracts.AccountRequested);
    expect(given().code({ kind: 'cancel', at: AT })).toBe('account-request-not-found');
  });

  it('accepts each result of its round once, and concludes once it has all of them', () => {
    expect(given(requested(), screening()).types(record([]))).toEqual([
      'ScreeningRecorded',
      'ReviewDecided',
      'AccountRequestApproved',
    ]);
    expect(given(requested(), screening()).types(record([hit]))).toEqual(['ScreeningRecorded', 'ReviewRequested']);
    expect(given(requested(), screening(), screened([hit]), review()).types(record([]))).toEqual([]);
    expect(given(requested(), screening()).types(record([], 2))).toEqual([]);
    expect(given(requested()).types(record([]))).toEqual([]);
    expect(given(requested({ sandboxOutcome: 'reject' }), screening()).types(record([hit]))).toEqual([
      'ScreeningRecorded',
      'ReviewDecided',
      'AccountRequestRejected',
    ]);
    expect(given(requested({ sandboxOutcome: 'ask-information' }), screening()).types(record([]))).toEqual([
      'ScreeningRecorded',
      'ReviewDecided',
      'InformationRequested',
    ]);
    expect(
      given(requested({ sandboxOutcome: 'approve', rewardTier: 97, fourEyes: true }), screening()).types(record([hit])),
    ).toEqual(['ScreeningRecorded', 'ReviewDecided', 'AccountRequestApproved']);
    // The information that the sandbox asked for has arrived, so staff decide.
    expect(
      given(
        requested({ sandboxOutcome: 'ask-information' }),
        screening(),
        screened(),
        informationRequested,
        provided,
        screening(2),
      ).types(record([], 2)),
    ).toEqual(['ScreeningRecorded', 'ReviewRequested']);
  });

  it('needs four eyes for screening hits too, and is then not approved automatically', () => {
    const tier97 = requested({ rewardTier: 97, fourEyes: true });
    expect(given(tier97, screening()).types(record([]))).toEqual(['ScreeningRecorded', 'ReviewRequested']);
    expect(given(tier97, screening(), screened(), review()).code(by('approve'))).toBe('role-not-allowed');
    for (const list of ['pep', 'un-consolidated']) {
      expect(
        scenario(accountRequest)
          .given(requested(), screening())
          .when(record([{ ...hit, list }]))
          .events()
          .at(-1),
      ).toMatchObject({ type: 'ReviewRequested', data: { fourEyes: true, causes: ['screening-hit', 'four-eyes'] } });
    }
  });

  it('accepts only allowed moves, and stays as it is once it is decided', () => {
    expect(given(requested()).types({ kind: 'cancel', at: AT })).toEqual(['AccountRequestCancelled']);
    expect(given(requested(), cancelled).types({ kind: 'cancel', at: AT })).toEqual([]);
    expect(given(requested(), approved).code({ kind: 'cancel', at: AT })).toBe('account-request-not-pending');
    expect(given(requested(), cancelled).code(by('approve'))).toBe('review-not-open');
    expect(given(requested(), screening()).code(by('claim'))).toBe('review-not-open');
    expect(given(requested(), cancelled).types({ kind: 'start-screening', at: AT })).toEqual([]);
    expect(
      given(requested(), screening(), screened([hit]), review(), informationRequested).types({
        kind: 'expire',
        at: AT,
      }),
    ).toEqual([]);
    expect(
      given(requested(), screening(), screened([hit]), review(), informationRequested).types({
        kind: 'expire',
        at: DAY,
      }),
    ).toEqual(['AccountRequestExpired']);
    expect(
      given(requested(), screening(), screened([hit]), review(), informationRequested, provided, screening(2)).types({
        kind: 'expire',
        at: DAY,
      }),
    ).toEqual([]);
    expect(given(requested(), screening(), screened([hit]), review()).types(by('reject'))).toEqual([
      'ReviewDecided',
      'AccountRequestRejected',
    ]);
    expect(
      given(requested()).code({
        kind: 'decide-in-sandbox',
        command: { decision: 'reject', reason: 'nonsense' as never, items: [] },
        at: AT,
      }),
    ).toBe('invalid-enum-value');
  });
});
