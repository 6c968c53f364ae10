import * as contracts from '@ponte/contracts';
import type { Refusal } from '@ponte/kernel';
import { eventually } from '@ponte/testing';
import { OnboardingUnderTest } from '../testing/onboarding-under-test';
import { ANALYST, APPROVER, cpfOf, OTHER_APPROVER, post, requestFor, upload } from '../testing/people';
import type { WithPartner } from '../testing/requests';
import { approveAsRead, decideAsRead, requestsOf, startWithPartner } from '../testing/requests';

const HIT = { list: 'un-consolidated', entryId: 'QDi.001', score: 100, matchedOn: 'JOANA LIMA', entryVersion: 'v1' };
/** The partner's own account is screened too. */
const PARTNER = 1;
const DAY_MS = 24 * 3_600_000;

describe('A screening round', () => {
  let current: WithPartner;
  const { waiting, until, open } = requestsOf(() => current);
  beforeEach(async () => {
    current = await startWithPartner({ environment: 'production', screenAgainEveryMs: 30 });
  });
  afterEach(() => current.onboarding.stop());

  const screening = () => current.onboarding.vendors.screening;
  const completed = async () =>
    (await current.onboarding.events()).flatMap(({ type, data }) =>
      type === 'ScreeningRoundCompleted' ? [data as contracts.ScreeningRoundCompleted['data']] : [],
    );
  const roundOf = (listsVersion: string, count = 1) =>
    eventually(async () => {
      const rounds = (await completed()).filter((round) => round.listsVersion === listsVersion);
      expect(rounds).toHaveLength(count);
      return rounds.at(-1) as contracts.ScreeningRoundCompleted['data'];
    });
  const repeated = async (requestId: string) =>
    (await current.onboarding.events()).filter(
      ({ type, data }) =>
        type === 'ScreeningRepeated' && (data as contracts.ScreeningRepeated['data']).requestId === requestId,
    );
  const judge = (requestId: string, verdict: contracts.HitVerdict = 'false-positive') =>
    current.onboarding.ask(contracts.JudgeScreeningHit, {
      ...{ requestId, staff: ANALYST, person: 'holder', list: HIT.list, entryId: HIT.entryId, score: HIT.score },
      ...{ entryVersion: HIT.entryVersion, verdict, reason: 'other', note: null },
    } as const);
  const code = (promise: Promise<unknown>) =>
    promise.then(
      () => 'accepted',
      (error: Refusal) => error.code,
    );

  it('adds a new hit to a request that waits, and refuses the approval of the case that was read before', async () => {
    await roundOf('lists-1');
    const { requestId } = await waiting();
    const read = await open(requestId, APPROVER);
    screening().hits = [HIT];
    screening().version = 'lists-2';
    expect(await roundOf('lists-2')).toMatchObject({ screened: 1 + PARTNER, raised: 1 + PARTNER });
    const approval = { requestId, staff: APPROVER, version: read?.item.version ?? 0, note: null };
    expect(await code(current.onboarding.ask(contracts.ApproveReview, approval))).toBe('screening-verdict-required');
    const shown = await open(requestId, APPROVER);
    expect(shown?.item).toMatchObject({ causes: ['screening-hit', 'four-eyes'], fourEyes: true });
    expect(shown?.screening.flatMap(({ hits }) => hits)).toMatchObject([{ entryId: HIT.entryId, verdict: null }]);
    expect(shown?.history.at(-1)).toMatchObject({ type: 'ScreeningRepeated', facts: { person: 'holder', hits: 1 } });
    await judge(requestId);
    expect(await code(current.onboarding.ask(contracts.ApproveReview, approval))).toBe('review-changed');
    expect(await approveAsRead(current.onboarding, requestId, APPROVER)).toMatchObject({ approvals: 1 });
    await approveAsRead(current.onboarding, requestId, OTHER_APPROVER);
    await until(requestId, 'active');
  });

  it('screens every day, but raises a hit again only after its entry changed', async () => {
    const { requestId } = await waiting();
    screening().hits = [HIT];
    screening().version = 'lists-2';
    await roundOf('lists-2');
    await judge(requestId);
    current.onboarding.advance(DAY_MS);
    expect(await roundOf('lists-2', 2)).toMatchObject({ screened: 1 + PARTNER, raised: 0 });
    screening().hits = [{ ...HIT, entryVersion: 'v2' }];
    screening().version = 'lists-3';
    expect(await roundOf('lists-3')).toMatchObject({ raised: 1 });
    expect(await repeated(requestId)).toHaveLength(2);
    expect((await open(requestId, ANALYST))?.item.causes).toContain('screening-hit');
    expect(await code(approveAsRead(current.onboarding, requestId, APPROVER))).toBe('screening-verdict-required');
  });

  it('does not screen twice against the same lists on one day, even after a restart', async () => {
    await waiting();
    screening().version = 'lists-2';
    await roundOf('lists-2');
    const { length: before } = screening().screened;
    const { folder, vendors } = current.onboarding;
    await current.onboarding.stop(true);
    const onboarding = await OnboardingUnderTest.start({
      ...{ environment: 'production', screenAgainEveryMs: 30, folder, vendors },
    });
    current = { ...current, onboarding };
    // The pass after the restart that finds nothing to do leaves no trace, so this waits for the next lists.
    screening().version = 'lists-3';
    await roundOf('lists-3');
    expect(await roundOf('lists-2')).toMatchObject({ screened: 1 + PARTNER });
    expect(screening().screened).toHaveLength(before + 1 + PARTNER);
  });

  it('goes on where it was when the vendor answers again, and tries the failed cases again', async () => {
    await waiting();
    await waiting();
    await roundOf('lists-1');
    screening().down = true;
    screening().version = 'lists-2';
    await eventually(async () =>
      expect(JSON.stringify((await current.onboarding.events()).at(-1))).toContain('ScreeningRoundAdvanced'),
    );
    expect((await completed()).map(({ listsVersion }) => listsVersion)).not.toContain('lists-2');
    screening().down = false;
    expect(await roundOf('lists-2')).toMatchObject({ screened: 2 + PARTNER });
  });

  it('screens everyone else on the next day if one person can never be screened', async () => {
    await waiting();
    await roundOf('lists-1');
    screening().refusedNames.add('Joana Lima');
    screening().version = 'lists-2';
    const lastRound = async () =>
      (await current.onboarding.events()).findLast(({ type }) => type === 'ScreeningRoundAdvanced')
        ?.data as contracts.ScreeningRoundAdvanced['data'];
    await eventually(async () => expect(await lastRound()).toMatchObject({ last: null, aside: [{ kind: 'request' }] }));
    screening().screened.length = 0;
    current.onboarding.advance(DAY_MS);
    await eventually(async () => expect(screening().screened.map(({ names }) => names[0])).toEqual(['Acme SA']));
    screening().refusedNames.clear();
    expect(await roundOf('lists-2')).toMatchObject({ screened: 1 + PARTNER });
  });

  it('screens the representative too, and leaves out requests that have ended', async () => {
    const { onboarding, parentId } = current;
    const base = await requestFor(onboarding, parentId, cpfOf(330_000_001));
    const representative = {
      ...{ ...base, firstName: 'Rita', identifier: { value: cpfOf(330_000_002), country: 'BRA' } },
      powerOfAttorneyFileId: await upload(onboarding, parentId, 'power-of-attorney'),
    };
    const { requestId } = (await post(onboarding, parentId, { ...base, representative })).request;
    await until(requestId, 'manual-review');
    screening().screened.length = 0;
    screening().version = 'lists-2';
    expect(await roundOf('lists-2')).toMatchObject({ screened: 1 + PARTNER });
    expect(screening().screened.map(({ names }) => names[0])).toEqual(['Joana Lima', 'Rita Lima', 'Acme SA']);
    await decideAsRead(onboarding, contracts.RejectReview, {
      requestId,
      staff: APPROVER,
      reason: 'risk-appetite',
      note: null,
    });
    screening().version = 'lists-3';
    expect(await roundOf('lists-3')).toMatchObject({ screened: PARTNER });
  });
});
