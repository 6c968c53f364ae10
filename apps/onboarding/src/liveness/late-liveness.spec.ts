import type { AccountRequestEvent, LivenessRecorded } from '@ponte/contracts';
import { accountRequest } from '../account-request/account-request.decider';
import type { OpenRequest } from '../account-request/account-request.state';
import { livenessOf } from '../account-request/findings.domain';
import { needsTwoApprovers } from '../account-request/four-eyes.domain';
import type { RecordLiveness } from '../account-request/screening.domain';
import { AT, kyc, screened, screening } from '../testing/reviewed-requests';
import { isLateFailure } from './liveness-words.domain';

type Word = readonly [outcome: RecordLiveness['outcome'], decidedAt: string];
const [EARLY, LATER] = ['2026-01-02T11:00:00.000Z', '2026-01-02T11:30:00.000Z'];

const permutations = <T>(all: readonly T[]): T[][] =>
  all.length === 0
    ? [[]]
    : all.flatMap((one, at) => permutations(all.filter((_, other) => other !== at)).map((rest) => [one, ...rest]));

/** The request after the words arrived in this order. A screened request waits only for its session. */
function after(words: readonly Word[]): { readonly state: OpenRequest; readonly events: AccountRequestEvent[] } {
  const past = [kyc(), screening(), screened()] as AccountRequestEvent[];
  let state = past.reduce(accountRequest.evolve, accountRequest.initial);
  const events: AccountRequestEvent[] = [];
  for (const [outcome, decidedAt] of words) {
    const providerEventId = `${outcome} ${decidedAt}`;
    const command = {
      sessionFingerprint: 'l',
      provider: 'p',
      providerEventId,
      outcome,
      decidedAt,
      sharedWith: [],
      at: AT,
    };
    const decided = accountRequest.decide({ kind: 'record-liveness', ...command }, state) as AccountRequestEvent[];
    events.push(...decided);
    state = decided.reduce(accountRequest.evolve, state);
  }
  return { state: state as OpenRequest, events };
}

describe('Results of one liveness session', () => {
  it.each<[string, Word[], 'passed' | 'failed']>([
    [
      'a failure that is corrected',
      [
        ['failed', EARLY],
        ['passed', LATER],
      ],
      'passed',
    ],
    [
      'a session that passed and then failed',
      [
        ['passed', EARLY],
        ['failed', LATER],
      ],
      'failed',
    ],
    [
      'a failure and a pass of the same time',
      [
        ['failed', EARLY],
        ['passed', EARLY],
      ],
      'failed',
    ],
    [
      'a failure that is corrected, after no decision',
      [
        ['pending', EARLY],
        ['failed', EARLY],
        ['passed', LATER],
      ],
      'passed',
    ],
  ])('need two approvers and have the same end in every order: %s', (_, words, end) => {
    for (const order of permutations(words)) {
      const { state } = after(order);
      expect([order, needsTwoApprovers(state), livenessOf(state)]).toEqual([order, true, end]);
    }
  });

  it('add nothing when they are repeated', () => {
    const words: Word[] = [
      ['passed', LATER],
      ['failed', EARLY],
    ];
    const { events } = after(words);
    expect(after([...words, ...words, ...words.slice(1)]).events).toEqual(events);
  });
});

describe('A failure that is reported after the approval', () => {
  const word = (sessionFingerprint: string, outcome: RecordLiveness['outcome'], decidedAt: string) =>
    ({ sessionFingerprint, outcome, decidedAt }) as LivenessRecorded['data'];
  const [passed, failed] = [word('l', 'passed', LATER), word('l', 'failed', EARLY)];

  it.each<[string, boolean, Record<string, LivenessRecorded['data']>, boolean]>([
    ['of a session that passed later, after a failure', false, { l: passed }, true],
    ['of a session that failed', false, { l: failed }, true],
    ['of a session that only passed', true, { l: passed }, false],
    ['after another session failed', true, { l: passed, m: word('m', 'failed', EARLY) }, true],
  ])('%s: opens a finding: %s', (_case, isLate, words, hasFailed) => {
    expect(isLateFailure(failed, words, hasFailed)).toBe(isLate);
    expect(isLateFailure(passed, words, hasFailed)).toBe(false);
  });
});
