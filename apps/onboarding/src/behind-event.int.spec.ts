import type { Type } from '@nestjs/common';
import type { IEventHandler } from '@nestjs/cqrs';
import type { Recorded } from '@ponte/event-sourcing';
import { Unavailable } from '@ponte/kernel';
import { typesHandledBy } from '@ponte/nest';
import { eventually, MemoryEventStore } from '@ponte/testing';
import { POLICIES } from './onboarding.policies';
import { WhenFileDeletedDeleteBytes } from './evidence-file/when-file-deleted-delete-bytes.policy';
import { WhenPersonNamedNoteMention } from './person/when-person-named-note-mention.policy';
import { WhenWithdrawalCreatedNotePayee } from './person/when-withdrawal-created-note-payee.policy';
import { WhenPixReceivedNoteMention } from './person/when-pix-received-note-mention.policy';
import { OnboardingUnderTest } from './testing/onboarding-under-test';
import { cpfOf, openParent, post, requestFor } from './testing/people';

/** Policies that use only the event: they delete bytes, or append to a stream at its own revision. */
const NEED_NO_STATE: readonly Type<IEventHandler<Recorded>>[] = [
  WhenFileDeletedDeleteBytes,
  WhenPersonNamedNoteMention,
  WhenPixReceivedNoteMention,
  WhenWithdrawalCreatedNotePayee,
] as never;

let real: OnboardingUnderTest;
let lagging: OnboardingUnderTest;
let nothing: MemoryEventStore;
beforeEach(async () => {
  real = await OnboardingUnderTest.start({ store: new MemoryEventStore(), dueEveryMs: 20 });
  nothing = new MemoryEventStore();
  lagging = await OnboardingUnderTest.start({ store: nothing });
});
afterEach(async () => {
  await real.stop();
  await lagging.stop();
});

/** An event of the type about the request, from the log or constructed. */
function eventOf(type: string, log: readonly Recorded[], request: Recorded): Recorded {
  const subjectId = (request.data as { details?: { holder: { subjectId: string } } }).details?.holder.subjectId;
  return log.find((one) => one.type === type) ?? { ...request, type, data: { ...request.data, subjectId } };
}

it('no policy completes while its state is behind its event: it is unavailable and will be retried', async () => {
  const parentId = await openParent(real);
  await post(real, parentId, await requestFor(real, parentId, cpfOf(900_123_456)));
  await eventually(async () =>
    expect((await real.events()).map(({ type }) => type)).toContain('AccountRequestActivated'),
  );
  const log = await real.events();
  const request = log.find(({ type }) => type === 'AccountRequested') as Recorded;
  const policies = (POLICIES as unknown as Type<IEventHandler<Recorded>>[]).filter(
    (one) => !NEED_NO_STATE.includes(one),
  );
  const tried: string[] = [];
  for (const policy of policies) {
    for (const type of typesHandledBy([policy])) {
      const outcome: unknown = await lagging.run(policy, eventOf(type, log, request)).then(
        () => 'completed',
        (error: unknown) => error,
      );
      expect([policy.name, type, outcome instanceof Unavailable]).toEqual([policy.name, type, true]);
      tried.push(type);
    }
  }
  expect(tried.length).toBeGreaterThanOrEqual(9);
  expect(nothing.log.length).toBe(0);
});

it('files of later information are referenced only once the state includes that information', async () => {
  const parentId = await openParent(real);
  await post(real, parentId, await requestFor(real, parentId, cpfOf(900_123_456)));
  const request = (await real.events()).find(({ type }) => type === 'AccountRequested') as Recorded;
  const later = { ...request, type: 'InformationProvided', revision: 1_000 };
  const policy = (POLICIES as unknown as Type<IEventHandler<Recorded>>[]).find(
    ({ name }) => name === 'WhenRequestMadeReferenceFiles',
  );
  await expect(real.run(policy as Type<IEventHandler<Recorded>>, later)).rejects.toBeInstanceOf(Unavailable);
});
