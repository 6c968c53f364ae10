import * as contracts from '@ponte/contracts';
import type { AccountRequestEvent } from '@ponte/contracts';
import { scenario } from '@ponte/event-sourcing';
import { AT, about, cancelled, given, review, screened, screening } from '../../testing/request-history';
import { kyc, sealed } from '../../testing/reviewed-requests';
import { accountRequest } from '../account-request.decider';
import { requestRecord } from '../account-request.record';
import type { SentInformation } from './information.domain';

const LATER = '2026-11-25T12:00:00.000Z';
const DUE = '2026-12-21T12:00:00.000Z';
const document = { type: 'cnh', frontFileId: 'ev_2', backFileId: null } as const;

const waitingFor = (...items: contracts.InformationItem[]): AccountRequestEvent[] => [
  kyc(),
  screening(),
  screened(),
  review(),
  new contracts.InformationRequested({ ...about, items, issues: ['data-mismatch'], requestedAt: AT, dueAt: DUE }),
];
const send = (change: Partial<SentInformation>) => ({
  kind: 'provide-information' as const,
  sent: {
    holder: { address: null, document: null },
    representative: { address: null, document: null, powerOfAttorneyFileId: null },
    liveness: null,
    otherFileIds: [],
    note: null,
    ...change,
  },
  at: LATER,
});
const after = (past: AccountRequestEvent[], change: Partial<SentInformation>): AccountRequestEvent[] => [
  ...past,
  ...(scenario(accountRequest)
    .given(...past)
    .when(send(change))
    .events() as AccountRequestEvent[]),
];
const shown = (past: AccountRequestEvent[]) => {
  const { reviewStage, requirements, informationDueAt } = requestRecord(given(...past).state());
  return { reviewStage, informationDueAt, ...requirements };
};

it('a request that is cancelled during its review keeps what was complete', () => {
  const past = [kyc(), screening(), screened(), review(), cancelled];
  expect(shown(past)).toMatchObject({
    complete: ['personal-data', 'address', 'document', 'liveness', 'screening'],
    missing: [],
  });
});

describe('requested information', () => {
  it('keeps the request waiting, with the same due time, until every item has arrived', () => {
    const waiting = waitingFor('document', 'address', 'other');
    const first = after(waiting, { holder: { document, address: null } });
    expect(shown(first)).toEqual({
      reviewStage: 'information-requested',
      informationDueAt: DUE,
      complete: ['personal-data', 'liveness'],
      pending: ['document'],
      missing: ['address', 'other'],
      issues: ['data-mismatch'],
    });
    expect(given(...first).types({ kind: 'expire', at: DUE })).toEqual(['AccountRequestExpired']);
    const second = after(first, { note: sealed });
    expect(shown(second)).toMatchObject({ pending: ['document', 'other'], missing: ['address'] });
    const third = after(second, { holder: { document: null, address: sealed } });
    expect(third.slice(-2).map(({ type }) => type)).toEqual(['InformationProvided', 'ScreeningStarted']);
    expect(shown(third)).toMatchObject({ reviewStage: 'screening', informationDueAt: null, missing: [] });
    expect(given(...third).state().parts.holder).toEqual({ address: sealed, document });
    expect(given(...third).code(send({ note: sealed }))).toBe('information-not-requested');
  });

  it.each([
    new contracts.AccountRequestRejected({ ...about, reason: 'pep', shownReason: 'compliance', rejectedAt: LATER }),
    new contracts.AccountRequestExpired({ ...about, expiredAt: DUE }),
    new contracts.AccountRequestCancelled({ ...about, cancelledAt: LATER }),
  ])('that had not arrived when the request ended stays missing, and is not complete: $type', (end) => {
    const past = after(waitingFor('document', 'address', 'other'), { holder: { document: null, address: sealed } });
    const { complete, ...rest } = shown([...past, end]);
    expect(complete).toEqual(expect.arrayContaining(['personal-data', 'address', 'liveness']));
    expect(complete).not.toContain('document');
    expect(rest).toMatchObject({ informationDueAt: null, pending: [], missing: ['document', 'other'] });
  });

  it('is refused from its due time on, as the request then expires', () => {
    const past = waitingFor('other');
    const sentAt = (at: string) => ({ ...send({ note: sealed }), at });
    expect(given(...past).types(sentAt('2026-12-21T11:59:59.999Z'))).toEqual([
      'InformationProvided',
      'ScreeningStarted',
    ]);
    expect(given(...past).code(sentAt(DUE))).toBe('information-not-requested');
    expect(given(...past).types({ kind: 'expire', at: DUE })).toEqual(['AccountRequestExpired']);
  });

  it('may come with parts that were not requested, which are kept but complete nothing', () => {
    const past = after(waitingFor('address'), { holder: { document, address: null }, note: sealed });
    expect(shown(past)).toMatchObject({
      reviewStage: 'information-requested',
      pending: [],
      missing: ['address'],
      complete: ['personal-data', 'document', 'liveness'],
    });
    expect(given(...past).state().parts.holder.document).toEqual(document);
  });

  it.each<[contracts.InformationItem, Partial<SentInformation>, boolean]>([
    ['liveness', { liveness: { provider: 'p', id: sealed, fingerprint: 'l2' } }, true],
    ['source-of-funds', { otherFileIds: ['ev_3'] }, true],
    ['source-of-funds', { note: sealed }, false],
    ['other', { otherFileIds: ['ev_3'] }, true],
    ['other', { note: sealed }, true],
    ['document', { otherFileIds: ['ev_3'], note: sealed }, false],
    ['power-of-attorney', { otherFileIds: ['ev_3'] }, false],
  ])('%s arrives with %j: %s', (item, change, arrives) => {
    expect(shown(after(waitingFor(item), change)).missing).toEqual(arrives ? [] : [item]);
  });

  it('that arrived before items were compared has returned the request to review', () => {
    const old = new contracts.InformationProvided({ ...about, ...send({ note: sealed }).sent, providedAt: AT });
    expect(shown([...waitingFor('document'), old, screening(2)])).toMatchObject({
      reviewStage: 'screening',
      missing: [],
    });
  });
});
