import * as contracts from '@ponte/contracts';
import type { EventToAppend } from '@ponte/event-sourcing';
import { ERASED } from '@ponte/event-sourcing';
import { Unavailable } from '@ponte/kernel';
import { eventually, MemoryEventStore } from '@ponte/testing';
import { identityOf } from '../person/seal-person';
import { AccountCommands } from '../sandbox/account-commands';
import { OnboardingUnderTest } from '../testing/onboarding-under-test';
import { APPROVER, cpfOf, openParent, post, requestFor, upload } from '../testing/people';
import { codes, requestsOf } from '../testing/requests';

const YEAR_MS = 366 * 86_400_000;

/** Runs what a test sets before the next append of an event with that type, and with that subject if it has one. */
class HookedStore extends MemoryEventStore {
  before: { readonly type: string; readonly subjectId?: string; readonly run: () => Promise<unknown> } | null = null;

  override async append(...[stream, expected, events]: Parameters<MemoryEventStore['append']>) {
    const { before } = this;
    const isIt = ({ type, data }: EventToAppend) =>
      type === before?.type && [undefined, (data as { subjectId?: string }).subjectId].includes(before.subjectId);
    if (before && events.some(isIt)) {
      this.before = null;
      await before.run();
    }
    return super.append(stream, expected, events);
  }
}

let store: HookedStore;
let onboarding: OnboardingUnderTest;
let parentId: string;
beforeEach(async () => {
  store = new HookedStore();
  onboarding = await OnboardingUnderTest.start({ store, dueEveryMs: 50 });
  parentId = await openParent(onboarding);
});
afterEach(() => onboarding.stop());

const { erase, report, until } = requestsOf(() => ({ onboarding, parentId }));
const PERSON = cpfOf(666_000_222);
const request = async (change: Partial<contracts.ClearKycRequest> = {}) =>
  post(onboarding, parentId, await requestFor(onboarding, parentId, PERSON, change));
const requested = async () => (await onboarding.events()).filter(({ type }) => type === 'AccountRequested');

const representativeWith = async (cpf: string) => ({
  ...(await requestFor(onboarding, parentId, cpf)),
  powerOfAttorneyFileId: await upload(onboarding, parentId, 'power-of-attorney'),
});
const subjectOf = ({ identifier }: Pick<contracts.ClearKycRequest, 'identifier'>) =>
  contracts.holderIdOf(contracts.identityFingerprint(onboarding.engines.personalData, identityOf(identifier)));

/** What a privacy report lists about the person with the CPF. */
async function holdings(value: string): Promise<string[] | undefined> {
  const identifier = await contracts.sealRequest(onboarding.engines.personalData, { value, country: 'BRA' });
  const person = { kind: 'identifier' as const, identifier };
  const report = await onboarding.ask(contracts.OpenPrivacyReport, {
    ...{ person, staff: APPROVER, purpose: 'privacy-request' },
  });
  return report?.holdings.map(({ kind, role }) => `${kind} ${role}`);
}

/** A request of the person that ended longer ago than its records are kept. */
async function oldRequest(): Promise<string> {
  const { requestId } = (await request()).request;
  await onboarding.ask(contracts.CancelAccountRequest, { parentId, requestId });
  await eventually(async () => expect(await report(requestId)).not.toBeNull());
  onboarding.advance(11 * YEAR_MS);
  return requestId;
}

it('an erasure just before a request is appended keeps the data of that request', async () => {
  const old = await oldRequest();
  const representative = await representativeWith(cpfOf(666_000_333));
  const outcomes: unknown[] = [];
  const run = async () => outcomes.push((await erase(old))?.outcome);
  store.before = { type: 'PersonMentioned', subjectId: subjectOf(representative), run };
  const made = await request({ representative });
  expect([made.created, outcomes]).toEqual([true, ['restricted']]);
  const [, event] = await requested();
  const { details } = event?.data as contracts.AccountRequested['data'];
  expect(await onboarding.engines.personalData.open(details.holder.identifier)).not.toBe(ERASED);
});

it('a request whose person is erased after its data was sealed is refused, and nothing of it is stored', async () => {
  const old = await oldRequest();
  const outcomes: unknown[] = [];
  store.before = { type: 'ReservationClaimed', run: async () => outcomes.push((await erase(old))?.outcome) };
  expect(await codes(request())).toEqual(['person-erased identifier']);
  expect([outcomes, (await requested()).length]).toEqual([['erased'], 1]);
});

it('a person whom only the losing one of two concurrent requests named is not held by the other request', async () => {
  const [mine, other] = [cpfOf(666_000_333), cpfOf(666_000_444)];
  const base = await requestFor(onboarding, parentId, mine);
  onboarding.vendors.screening.hits = [{ list: 'un', entryId: '1', score: 100, matchedOn: 'LIMA', entryVersion: 'v1' }];
  const [first, second] = [await representativeWith(PERSON), await representativeWith(other)];
  // The concurrent request with another representative comes first, after this one has noted its mentions.
  store.before = {
    type: 'PersonMentioned',
    subjectId: subjectOf(second),
    run: () => post(onboarding, parentId, { ...base, representative: first }),
  };
  const late = await post(onboarding, parentId, { ...base, representative: second });
  expect(late.created).toBe(false);
  expect(await holdings(PERSON)).toContain('account-request representative');
  expect(await holdings(other)).toEqual([]);
  // Nor do the hits on the representative of that request count against this person.
  await until(late.request.requestId, 'manual-review');
  const account = { parentId, alias: 'Sub', externalId: null, onboardingMode: null, capabilities: [] };
  const opening = { ...account, legalName: 'Ana Lima', taxId: other, bankAccount: null };
  expect(await new AccountCommands(onboarding.engines, 'test').openAccount(opening)).toMatchObject({ alias: 'Sub' });
});

it('a request that was announced and never made counts as in use until it can no longer come', async () => {
  store.before = { type: 'AccountRequested', run: () => Promise.reject(new Unavailable('service-unavailable')) };
  await expect(request()).rejects.toBeInstanceOf(Unavailable);
  expect([await holdings(PERSON), await requested()]).toEqual([['account-request holder'], []]);
  onboarding.advance(2 * 86_400_000);
  await eventually(async () => expect(await holdings(PERSON)).toEqual([]));
  expect((await request()).created).toBe(true);
});

it('an account that an operator opens is noted before it is written, and one that was not written is not counted', async () => {
  const old = await oldRequest();
  const open = () =>
    new AccountCommands(onboarding.engines, 'test').openAccount({
      ...{ parentId, alias: 'Sub', externalId: null, onboardingMode: null, capabilities: [] },
      ...{ legalName: 'Maria Lima', taxId: PERSON, bankAccount: null },
    });
  store.before = { type: 'AccountOpened', run: () => Promise.reject(new Unavailable('service-unavailable')) };
  await expect(open()).rejects.toBeInstanceOf(Unavailable);
  expect([await holdings(PERSON), (await erase(old))?.outcome]).toEqual([
    ['account-request holder', 'evidence-file holder', 'account account-holder'],
    'restricted',
  ]);
  onboarding.advance(2 * 86_400_000);
  expect((await erase(old))?.outcome).toBe('erased');
});
