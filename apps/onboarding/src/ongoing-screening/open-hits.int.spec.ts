import * as contracts from '@ponte/contracts';
import type { Refusal } from '@ponte/kernel';
import { AccountCommands } from '../sandbox/account-commands';
import type { OnboardingUnderTest } from '../testing/onboarding-under-test';
import { ANALYST, APPROVER, cpfOf, requestFor, upload } from '../testing/people';
import { requestsOf, startWithPartner } from '../testing/requests';

const HIT = { list: 'un-consolidated', entryId: 'QDi.001', score: 100, matchedOn: 'JOANA LIMA' };

let onboarding: OnboardingUnderTest;
let parentId: string;

beforeAll(async () => {
  ({ onboarding, parentId } = await startWithPartner());
});

afterAll(() => onboarding.stop());

const { made, until, open } = requestsOf(() => ({ onboarding, parentId }));

const openByOperator = (taxId: string): Promise<string> =>
  new AccountCommands(onboarding.engines, 'admin')
    .openAccount({
      ...{ parentId, alias: 'Customer', externalId: null, onboardingMode: null, capabilities: [] },
      ...{ legalName: 'Joana Lima', taxId, bankAccount: null },
    })
    .then(
      () => 'accepted',
      (error: Refusal) => error.code,
    );

describe('A hit that no one judged before the partner cancelled the request', () => {
  it('prevents an operator from opening an account, and stays a hit of the next request, until staff clear it', async () => {
    const cpf = cpfOf(340_000_001);
    onboarding.vendors.screening.hits = [HIT];
    const { requestId: first } = await made({}, cpf);
    await until(first, 'manual-review');
    onboarding.vendors.screening.hits = [];
    await onboarding.ask(contracts.CancelAccountRequest, { parentId, requestId: first });
    expect(await openByOperator(cpf)).toBe('review-by-staff-required');

    const { requestId: second } = await made({}, cpf);
    await until(second, 'manual-review');
    const reviewed = await open(second, APPROVER);
    expect(reviewed?.item).toMatchObject({ causes: ['screening-hit', 'four-eyes'], fourEyes: true });
    expect(reviewed?.screening[0]?.hits).toMatchObject([{ list: HIT.list, entryId: HIT.entryId, verdict: null }]);
    await onboarding.ask(contracts.JudgeScreeningHit, {
      ...{ requestId: second, staff: ANALYST, person: 'holder', note: null },
      ...{ list: HIT.list, entryId: HIT.entryId, score: HIT.score, verdict: 'false-positive', reason: 'name-differs' },
    });
    // Only the verdict of the later request was given, and it clears the same entry in the earlier one.
    await onboarding.ask(contracts.CancelAccountRequest, { parentId, requestId: second });
    expect(await openByOperator(cpf)).toBe('accepted');
  });
});

describe('A hit without a verdict of a request that has ended', () => {
  const judge = (requestId: string, person: 'holder' | 'representative', entryVersion?: string) =>
    onboarding.ask(contracts.JudgeScreeningHit, {
      ...{ requestId, staff: ANALYST, person, note: null, ...(entryVersion === undefined ? {} : { entryVersion }) },
      ...{ list: HIT.list, entryId: HIT.entryId, score: HIT.score, verdict: 'false-positive', reason: 'name-differs' },
    } as const);

  it('is not cleared by the verdict about another person of the request', async () => {
    const cpf = cpfOf(340_000_002);
    onboarding.vendors.screening.hits = [HIT];
    const representative = {
      ...(await requestFor(onboarding, parentId, cpfOf(340_000_003))),
      powerOfAttorneyFileId: await upload(onboarding, parentId, 'power-of-attorney'),
    };
    const { requestId } = await made({ representative }, cpf);
    await until(requestId, 'manual-review');
    await judge(requestId, 'representative');
    await onboarding.ask(contracts.CancelAccountRequest, { parentId, requestId });
    expect(await openByOperator(cpf)).toBe('review-by-staff-required');
  });

  it('is not cleared by a verdict about another version of the entry', async () => {
    const cpf = cpfOf(340_000_004);
    onboarding.vendors.screening.hits = [{ ...HIT, entryVersion: 'v1' }];
    const { requestId: first } = await made({}, cpf);
    await until(first, 'manual-review');
    await judge(first, 'holder', 'v1');
    await onboarding.ask(contracts.CancelAccountRequest, { parentId, requestId: first });
    expect(await openByOperator(cpf)).toBe('accepted');

    onboarding.vendors.screening.hits = [{ ...HIT, entryVersion: 'v2' }];
    const { requestId: second } = await made({}, cpf);
    await until(second, 'manual-review');
    await onboarding.ask(contracts.CancelAccountRequest, { parentId, requestId: second });
    expect(await openByOperator(cpf)).toBe('review-by-staff-required');
  });
});
