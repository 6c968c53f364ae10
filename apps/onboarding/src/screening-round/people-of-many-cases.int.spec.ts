import type * as contracts from '@ponte/contracts';
import { eventually } from '@ponte/testing';
import { AccountRequests } from '../account-request/account-requests.service';
import { cpfOf, openParent, post, requestFor } from '../testing/people';
import type { WithPartner } from '../testing/requests';
import { requestsOf, startWithPartner } from '../testing/requests';

const HIT = { list: 'un-consolidated', entryId: 'QDi.001', score: 100, matchedOn: 'JOANA LIMA', entryVersion: 'v1' };
const PARTNERS = 8;
/** The case in its turn, with the other cases of the person, and before its turn. */
const MAX_READS = 4;

describe('A person of many cases', () => {
  let current: WithPartner;
  const { until } = requestsOf(() => current);
  beforeEach(async () => {
    current = await startWithPartner({ environment: 'production', screenAgainEveryMs: 30 });
  });
  afterEach(async () => {
    jest.restoreAllMocks();
    await current.onboarding.stop();
  });

  const round = (listsVersion: string) =>
    eventually(async () => {
      const completed = (await current.onboarding.events()).flatMap(({ type, data }) =>
        type === 'ScreeningRoundCompleted' ? [data as contracts.ScreeningRoundCompleted['data']] : [],
      );
      const found = completed.find((one) => one.listsVersion === listsVersion);
      expect(found).toBeDefined();
      return found as contracts.ScreeningRoundCompleted['data'];
    });

  it('is screened in all of them by a round, which reads each case a fixed number of times', async () => {
    const { onboarding } = current;
    const requestIds: string[] = [];
    for (let i = 0; i < PARTNERS; i++) {
      const parentId = await openParent(onboarding);
      const { request } = await post(onboarding, parentId, await requestFor(onboarding, parentId, cpfOf(350_000_001)));
      await until(request.requestId, 'manual-review', parentId);
      requestIds.push(request.requestId);
    }
    const load = jest.spyOn(AccountRequests.prototype, 'load');
    onboarding.vendors.screening.version = 'lists-2';
    await round('lists-2');
    const reads = requestIds.map((requestId) => load.mock.calls.filter(([id]) => id === requestId).length);
    expect(Math.max(...reads)).toBeLessThanOrEqual(MAX_READS);
    expect(Math.min(...reads)).toBeGreaterThan(0);

    onboarding.vendors.screening.hits = [HIT];
    onboarding.vendors.screening.version = 'lists-3';
    // The partners and the first one of the test have accounts of their own.
    await expect(round('lists-3')).resolves.toMatchObject({ raised: PARTNERS + PARTNERS + 1 });
    const repeated = (await onboarding.events()).flatMap(({ type, data }) =>
      type === 'ScreeningRepeated' ? [(data as contracts.ScreeningRepeated['data']).requestId] : [],
    );
    expect(repeated.sort()).toEqual([...requestIds].sort());
  });

  it('is screened in the rest of them in their turn if one fails', async () => {
    const { onboarding } = current;
    const requestIds: string[] = [];
    for (let i = 0; i < 3; i++) {
      const parentId = await openParent(onboarding);
      const { request } = await post(onboarding, parentId, await requestFor(onboarding, parentId, cpfOf(350_000_002)));
      await until(request.requestId, 'manual-review', parentId);
      requestIds.push(request.requestId);
    }
    const handle = AccountRequests.prototype.handle;
    const [, second] = [...requestIds].sort();
    let failures = 0;
    jest.spyOn(AccountRequests.prototype, 'handle').mockImplementation(function (this: AccountRequests, ...args) {
      if (args[0] === second && failures < 2) {
        failures += 1;
        throw new Error('planted');
      }
      return handle.apply(this, args);
    });
    onboarding.vendors.screening.hits = [HIT];
    onboarding.vendors.screening.version = 'lists-2';
    await round('lists-2');
    const repeated = (await onboarding.events()).flatMap(({ type, data }) =>
      type === 'ScreeningRepeated' ? [(data as contracts.ScreeningRepeated['data']).requestId] : [],
    );
    expect(failures).toBe(2);
    expect(repeated.sort()).toEqual([...requestIds].sort());
  });
});
