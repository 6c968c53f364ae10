import type { AmountOf, ClosingReason, FreezeReason, StaffActor } from '@ponte/contracts';
import {
  ConfirmAccountClosing,
  ConfirmAccountFreeze,
  RequestAccountClosing,
  RequestAccountFreeze,
  sealRequest,
} from '@ponte/contracts';
import type { OnboardingUnderTest } from '../testing/onboarding-under-test';
import { ANALYST, APPROVER, OTHER_APPROVER } from '../testing/people';

/** How long an account must be frozen before it is closed. */
export const MINUTE_MS = 60_000;

/** The steps of closing an account for tests. `current` returns the service of the running test. */
export function closingOf(current: () => OnboardingUnderTest) {
  const evidence = () => sealRequest(current().engines.personalData, { secret: 'the letter of the holder' });
  const freeze = async (accountId: string, reason: FreezeReason = 'closing') => {
    const request = { accountId, staff: ANALYST, reason, evidence: await evidence() };
    const { pending } = await current().ask(RequestAccountFreeze, request);
    await current().ask(ConfirmAccountFreeze, { accountId, staff: APPROVER, request: pending?.request ?? 0 });
  };
  const requestClosing = async (
    accountId: string,
    staff: StaffActor = ANALYST,
    reason: ClosingReason = 'holder-request',
    writeOff?: readonly AmountOf[],
  ) =>
    current().ask(RequestAccountClosing, {
      ...{ accountId, staff, reason, evidence: await evidence() },
      ...(writeOff && { writeOff }),
    });
  const confirmClosing = (accountId: string, request: number, staff = OTHER_APPROVER) =>
    current().ask(ConfirmAccountClosing, { accountId, staff, request });
  /** Freezes an account and closes it a minute later. */
  const close = async (
    accountId: string,
    { frozenFor = 'closing' as FreezeReason, closedFor = 'holder-request' as ClosingReason } = {},
  ) => {
    await freeze(accountId, frozenFor);
    current().advance(MINUTE_MS);
    const { pending } = await requestClosing(accountId, ANALYST, closedFor);
    await confirmClosing(accountId, pending?.request ?? 0);
  };
  return { evidence, freeze, requestClosing, confirmClosing, close };
}
