import * as contracts from '@ponte/contracts';
import type { ScreeningFinding, StaffActor } from '@ponte/contracts';
import type { Refusal } from '@ponte/kernel';
import type { ScreeningMatch } from '../screening/screening.port';
import { eventually } from '@ponte/testing';
import { APPROVER } from './people';
import type { WithPartner } from './requests';
import { approveAsRead, requestsOf } from './requests';

export const HIT = {
  ...{ list: 'un-consolidated', entryId: 'QDi.001', score: 100, matchedOn: 'JOANA LIMA', entryVersion: 'v1' },
};

/** How a command ends: accepted, or the code of its refusal. */
export const code = (promise: Promise<unknown>): Promise<string> =>
  promise.then(
    () => 'accepted',
    (error: Refusal) => error.code,
  );

/** The steps of ongoing screening for tests. `current` returns the service and the partner of the running test. */
export function findingsUnderTest(current: () => WithPartner) {
  const { made, until } = requestsOf(current);
  let lists = 1;

  /** An active account, with the request that it comes from. */
  async function account(cpf: string) {
    const { requestId, accountId } = await made({}, cpf);
    await until(requestId, 'manual-review');
    await approveAsRead(current().onboarding, requestId, APPROVER);
    await until(requestId, 'active');
    return accountId;
  }

  /** Screens everyone against new lists, which find the hit for every person. */
  async function screenAgain(hits: ScreeningMatch[] = [HIT]) {
    const { vendors } = current().onboarding;
    lists += 1;
    vendors.screening.hits = hits;
    vendors.screening.version = `lists-${lists}`;
    await eventually(async () =>
      expect(
        (await current().onboarding.events()).filter(({ type }) => type === 'ScreeningRoundCompleted'),
      ).toContainEqual(expect.objectContaining({ data: expect.objectContaining({ listsVersion: `lists-${lists}` }) })),
    );
  }

  const findings = (filters: Partial<contracts.FindingFilters>) =>
    current()
      .onboarding.ask(contracts.SearchScreeningFindings, {
        filters: { accountId: null, status: null, list: null, ...filters },
        page: { limit: 50, cursor: null, createdFrom: null, createdTo: null },
      })
      .then(({ items }) => items);
  const findingOf = (accountId: string, change: Partial<ScreeningFinding> = {}) =>
    eventually(async () => {
      const [found] = await findings({ accountId });
      expect(found).toMatchObject({ accountId, ...change });
      return found as ScreeningFinding;
    });
  const judge = (
    { id: findingId, version }: Pick<ScreeningFinding, 'id' | 'version'>,
    verdict: contracts.HitVerdict,
    staff: StaffActor = APPROVER,
  ) =>
    current().onboarding.ask(contracts.JudgeScreeningFinding, {
      ...{ findingId, version, staff, verdict, reason: 'other', note: null },
    } as const);
  const standing = (accountId: string) => current().onboarding.ask(contracts.GetAccountStanding, { accountId });
  return { account, screenAgain, findings, findingOf, judge, standing };
}
