import * as contracts from '@ponte/contracts';
import type { PayloadOf, Sealed } from '@ponte/event-sourcing';
import type { Refusal } from '@ponte/kernel';
import { eventually } from '@ponte/testing';
import type { UnderTestOptions } from './onboarding-under-test';
import { OnboardingUnderTest } from './onboarding-under-test';
import { APPROVER, AUDITOR, cpfOf, openParent, post, requestFor } from './people';

/** The service, and the partner whose requests a test creates. */
export interface WithPartner {
  readonly onboarding: OnboardingUnderTest;
  readonly parentId: string;
}

export async function startWithPartner(options: UnderTestOptions = {}): Promise<WithPartner> {
  const onboarding = await OnboardingUnderTest.start(options);
  return { onboarding, parentId: await openParent(onboarding) };
}

/** Codes and paths of the refusal; throws if the call was not refused. */
export const codes = (promise: Promise<unknown>): Promise<string[]> =>
  promise.then(
    () => {
      throw new Error('not refused');
    },
    (error: Refusal) => error.violations.map(({ code, path }) => `${code} ${path}`),
  );

type Decision =
  | typeof contracts.ApproveReview
  | typeof contracts.RejectReview
  | typeof contracts.AskInformation
  | typeof contracts.EscalateReview;

/** Decides a case as it is now, as a staff member does who has just read it. */
export async function decideAsRead<D extends Decision>(
  onboarding: OnboardingUnderTest,
  definition: D,
  decision: Omit<PayloadOf<D>, 'version'>,
): Promise<contracts.CaseItem> {
  const { requestId } = decision as { readonly requestId: string };
  const decide = (read: { readonly item: contracts.CaseItem } | null) =>
    (onboarding.ask as (of: Decision, request: object) => Promise<contracts.CaseItem>).call(onboarding, definition, {
      ...decision,
      version: read?.item.version ?? 0,
    });
  try {
    return await decide(await onboarding.ask(contracts.GetReviewHistory, { requestId }));
  } catch (error) {
    if ((error as Refusal).code !== 'review-changed') throw error;
    // Only an opened case shows duplicates, and views are recorded.
    const view = { staff: APPROVER, purpose: 'legal-request', note: null } as const;
    return decide(await onboarding.ask(contracts.OpenReviewCase, { requestId, ...view }));
  }
}

/** Approves a case as it is now. */
export const approveAsRead = (
  onboarding: OnboardingUnderTest,
  requestId: string,
  staff: contracts.StaffActor,
  note: Sealed | null = null,
): Promise<contracts.CaseItem> => decideAsRead(onboarding, contracts.ApproveReview, { requestId, staff, note });

/** Erases a person with the outcome that a preparation would show now. */
export async function eraseAsPrepared(
  onboarding: OnboardingUnderTest,
  person: contracts.PersonKey,
  staff: contracts.StaffActor,
) {
  const erase = (expected: contracts.ErasureOutcome) =>
    onboarding.ask(contracts.ErasePerson, { person, staff, expected });
  try {
    return await erase('restricted');
  } catch (error) {
    if ((error as Refusal).code === 'erasure-not-confirmed') return erase('erased');
    throw error;
  }
}

/** Operations on requests for tests. `current` returns the service and the partner of the running test. */
export function requestsOf(current: () => WithPartner) {
  let nine = 100_000_000;
  /** A CPF that no other request has. The sandbox decides by the first three digits of some CPFs. */
  const nextCpf = (first?: number): string => {
    nine += 1;
    return cpfOf(first === undefined ? nine : first * 1_000_000 + (nine % 1_000_000));
  };
  const get = (requestId: string, parentId = current().parentId) =>
    current().onboarding.ask(contracts.GetAccountRequest, { parentId, requestId });
  /** Resolves with the request once it has that review stage or that status. */
  const until = (requestId: string, standing: string, parentId?: string) =>
    eventually(async () => {
      const record = await get(requestId, parentId);
      expect(record?.reviewStage ?? record?.status).toBe(standing);
      return record as contracts.AccountRequestRecord;
    });
  const made = async (change: Partial<contracts.ClearKycRequest> = {}, cpf = nextCpf()) => {
    const { onboarding, parentId } = current();
    return (await post(onboarding, parentId, await requestFor(onboarding, parentId, cpf, change))).request;
  };
  /** Creates a request and waits until it is under review. */
  const waiting = async (change: Partial<contracts.ClearKycRequest> = {}) =>
    until((await made(change)).requestId, 'manual-review');
  const open = (
    requestId: string,
    staff: contracts.StaffActor,
    purpose: contracts.ViewPurpose = 'review',
    note: Sealed | null = null,
  ) => current().onboarding.ask(contracts.OpenReviewCase, { requestId, staff, purpose, note });
  const report = (requestId: string, staff = AUDITOR) =>
    current().onboarding.ask(contracts.OpenPrivacyReport, {
      person: { kind: 'request', requestId, person: 'holder' },
      staff,
      purpose: 'privacy-request',
    });
  const erase = (requestId: string, person: 'holder' | 'representative' = 'holder', staff = APPROVER) =>
    eraseAsPrepared(current().onboarding, { kind: 'request', requestId, person }, staff);
  return { nextCpf, get, until, made, waiting, open, report, erase };
}
