import * as contracts from '@ponte/contracts';
import { findingsUnderTest } from '../testing/findings';
import { ANALYST, APPROVER, OTHER_APPROVER } from '../testing/people';
import type { WithPartner } from '../testing/requests';
import { cutSearch } from '../screening/shown-matches.domain';
import { approveAsRead, requestsOf, startWithPartner } from '../testing/requests';

/** Entries of one name. None has a birth date, so all have the same score. */
const entries = (count: number) =>
  Array.from({ length: count }, (_, i) => ({
    ...{ list: 'pep', entryId: `PEP-${String(i).padStart(3, '0')}`, score: 90, matchedOn: 'JOSE', entryVersion: 'v1' },
  }));

describe('A person with the name of more listed people than a case shows', () => {
  let current: WithPartner;
  beforeEach(async () => {
    current = await startWithPartner({ environment: 'production', screenAgainEveryMs: 30 });
  });
  afterEach(() => current.onboarding.stop());

  const { nextCpf, made, until, open } = requestsOf(() => current);
  const { screenAgain, findings, judge } = findingsUnderTest(() => current);

  const judgeHit = (requestId: string, { list, entryId, score, entryVersion }: contracts.ScreeningHit) =>
    current.onboarding.ask(contracts.JudgeScreeningHit, {
      ...{ requestId, staff: ANALYST, person: 'holder', list, entryId, score, entryVersion: entryVersion ?? null },
      ...{ verdict: 'false-positive', reason: 'other', note: null },
    } as const);

  it('has a hit that says so, and is found under an entry that is listed later', async () => {
    current.onboarding.vendors.screening.hits = entries(30);
    const { requestId, accountId } = await made({}, nextCpf());
    await until(requestId, 'manual-review');
    const hits = (await open(requestId, ANALYST))?.screening.flatMap((one) => one.hits) ?? [];
    expect(hits).toMatchObject([
      ...entries(25).map(({ entryId }) => ({ list: 'pep', entryId })),
      { list: 'more-matches', entryId: 'pep', score: 100 },
    ]);
    for (const hit of hits) await judgeHit(requestId, hit as never);
    await approveAsRead(current.onboarding, requestId, APPROVER);
    await approveAsRead(current.onboarding, requestId, OTHER_APPROVER);
    await until(requestId, 'active');

    await screenAgain(entries(31));
    const found = await findings({ accountId });
    expect(found.map(({ hit }) => hit.entryId).sort()).toEqual(
      entries(31)
        .slice(25)
        .map(({ entryId }) => entryId),
    );
    // Nothing changes while they wait.
    await screenAgain(entries(31));
    expect(await findings({ accountId })).toHaveLength(6);
    expect(await findings({ accountId, list: 'pep' })).toHaveLength(6);
    expect(await findings({ accountId, list: 'un-consolidated' })).toEqual([]);
  });

  it('has a finding when a search is cut, although staff cleared the hit that says that more follow', async () => {
    current.onboarding.vendors.screening.hits = entries(30);
    const { requestId, accountId } = await made({}, nextCpf());
    await until(requestId, 'manual-review');
    const hits = (await open(requestId, ANALYST))?.screening.flatMap((one) => one.hits) ?? [];
    for (const hit of hits) await judgeHit(requestId, hit as never);
    await approveAsRead(current.onboarding, requestId, APPROVER);
    await approveAsRead(current.onboarding, requestId, OTHER_APPROVER);
    await until(requestId, 'active');
    for (let round = 0; round < 2; round += 1) {
      await screenAgain([...entries(30), cutSearch('pep')]);
      const found = (await findings({ accountId })).filter(({ hit }) => hit.list === 'more-matches');
      expect(found.map(({ hit }) => hit.entryId)).toEqual(['pep-search-limit']);
    }
  });

  it('gets further findings as those before them are judged, and each only once', async () => {
    const { requestId, accountId } = await made({}, nextCpf());
    await until(requestId, 'manual-review');
    await approveAsRead(current.onboarding, requestId, APPROVER);
    await until(requestId, 'active');
    await screenAgain(entries(30));
    const shown = await findings({ accountId });
    expect(shown.map(({ hit }) => hit.list).filter((list) => list === 'more-matches')).toHaveLength(1);
    expect(shown).toHaveLength(26);
    for (const finding of shown) {
      await judge(finding, 'false-positive');
      await judge({ ...finding, version: finding.version + 1 }, 'false-positive', OTHER_APPROVER);
    }
    await screenAgain(entries(30));
    const opened = await findings({ accountId, status: 'open' });
    expect(opened.map(({ hit }) => hit.entryId).sort()).toEqual(
      entries(30)
        .slice(25)
        .map(({ entryId }) => entryId),
    );
  });

  it('has a case that gets no more hits than staff can read', async () => {
    current.onboarding.vendors.screening.hits = entries(20);
    const { requestId } = await made({}, nextCpf());
    await until(requestId, 'manual-review');
    await screenAgain(entries(40));
    const hits = (await open(requestId, ANALYST))?.screening.flatMap((one) => one.hits) ?? [];
    expect(hits.map(({ entryId }) => entryId)).toEqual([...entries(25).map(({ entryId }) => entryId), 'pep']);
  });
});
