import type { AccountRequestEvent } from '@ponte/contracts';
import * as contracts from '@ponte/contracts';
import { checklist } from './history.domain';
import {
  AT,
  about,
  kyc,
  reliance,
  screening,
  hit,
  screened,
  liveness,
  review,
  verdict,
  approval,
  given,
} from '../testing/reviewed-requests';

describe('The checklist', () => {
  const outcomes = (...past: AccountRequestEvent[]) =>
    Object.fromEntries(checklist(given(...past).state(), [], []).map(({ check, outcome }) => [check, outcome]));
  const found = [kyc(), screening(), liveness('passed'), screened([hit]), review()] as const;

  it('reflects verdicts and approvals', () => {
    expect(outcomes(...found)).toMatchObject({ screening: 'attention', 'four-eyes': 'pending', liveness: 'passed' });
    expect(outcomes(...found, verdict('false-positive'))).toMatchObject({
      screening: 'passed',
      'four-eyes': 'pending',
    });
    expect(outcomes(...found, verdict('true-match'))).toMatchObject({ screening: 'attention' });
    expect(outcomes(...found, verdict('false-positive'), approval('one'), approval('two'))).toMatchObject({
      'four-eyes': 'passed',
    });
  });

  it('does not claim that a name was screened in reliance mode, because Ponte does not have it', () => {
    const titleOf = (first: AccountRequestEvent) =>
      checklist(given(first, screening(), screened(), review()).state(), [], []).find(
        ({ check }) => check === 'screening',
      )?.title;
    expect(titleOf(kyc())).toContain('sanctions or PEP list');
    expect(titleOf(reliance())).not.toContain('PEP');
  });

  it('has no pending item once the request is decided', () => {
    const ended = [
      new contracts.AccountRequestCancelled({ ...about, cancelledAt: AT }),
      new contracts.AccountRequestRejected({ ...about, reason: 'pep', shownReason: 'compliance', rejectedAt: AT }),
    ];
    for (const end of ended) {
      expect(Object.values(outcomes(...found, end))).not.toContain('pending');
      expect(Object.values(outcomes(kyc(), screening(), end))).not.toContain('pending');
    }
  });
});
