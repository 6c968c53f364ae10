import * as contracts from '@ponte/contracts';
import { scenario } from '@ponte/event-sourcing';
import { accountRequest } from './account-request.decider';
import { AT, sealed, about, requested, screening, hit, given, record } from '../testing/request-history';

describe('An account request', () => {
  it('accepts a liveness result from before it named the person, and does not treat a shared session as clean', () => {
    const [session, kyc] = [{ provider: 'p', id: sealed, fingerprint: 'l' }, requested().data.details.holder];
    const person = {
      ...kyc,
      firstName: sealed,
      lastName: sealed,
      dateOfBirth: sealed,
      address: sealed,
      pep: sealed,
      document: { type: 'cnh' as const, frontFileId: 'ev', backFileId: null },
    };
    const asking = (sandboxOutcome: contracts.SandboxOutcome | null) =>
      requested({
        mode: 'kyc',
        sandboxOutcome,
        details: {
          mode: 'kyc',
          holder: person,
          email: sealed,
          phone: sealed,
          motherFullName: sealed,
          financialProfile: sealed,
          liveness: session,
          representative: null,
        },
      });
    const word = (sharedWith?: string[]) =>
      new contracts.LivenessRecorded({
        ...about,
        sessionFingerprint: 'l',
        provider: 'p',
        providerEventId: 'w',
        outcome: 'passed',
        decidedAt: AT,
        ...(sharedWith && { sharedWith }),
      });
    expect(given(asking(null), screening(), word()).types(record([]))).toEqual([
      'ScreeningRecorded',
      'ReviewRequested',
    ]);
    expect(
      scenario(accountRequest)
        .given(asking(null), screening(), word(['other']))
        .when(record([]))
        .events()
        .at(-1),
    ).toMatchObject({ type: 'ReviewRequested', data: { fourEyes: true, causes: ['liveness-shared', 'four-eyes'] } });
    // The magic CPFs of the sandbox decide anyway, and do not wait for a session.
    expect(given(asking('approve'), screening(), word(['other'])).types(record([hit]))).toEqual([
      'ScreeningRecorded',
      'ReviewDecided',
      'AccountRequestApproved',
    ]);
    for (const [outcome, end] of [
      ['approve', 'AccountRequestApproved'],
      ['reject', 'AccountRequestRejected'],
      ['ask-information', 'InformationRequested'],
    ] as const) {
      expect(given(asking(outcome), screening()).types(record([hit]))).toEqual([
        'ScreeningRecorded',
        'ReviewDecided',
        end,
      ]);
    }
    expect(given(asking(null), screening()).types(record([]))).toEqual(['ScreeningRecorded']);
  });
});
