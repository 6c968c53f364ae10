import type { AccountRequestEvent, Failure, ProvisioningStep, Timestamp } from '@ponte/contracts';
import {
  AccountRequestActivated,
  PROVISIONING_STEPS,
  ProvisioningFailed,
  ProvisioningRetried,
  ProvisioningStepDone,
  RequestedAccountClosed,
} from '@ponte/contracts';
import { addSeconds } from '@ponte/kernel';
import { fold, moveStatus, subject } from './moves.domain';
import type { OpenRequest } from './account-request.state';

/** Waits before retries, in seconds. The last one repeats forever, since an approved person waits for the account. */
const RETRY_SECONDS = [15, 60, 300, 900, 3600] as const;

/** The next step; null if none is left. */
export const nextStep = ({ stepsDone }: OpenRequest): ProvisioningStep | null =>
  PROVISIONING_STEPS.find((step) => !stepsDone.includes(step)) ?? null;

/** Records a finished step. With the last step, the account becomes active in the same append. */
export function noteStep(state: OpenRequest, step: ProvisioningStep, at: Timestamp): AccountRequestEvent[] {
  if (state.status !== 'approved' || state.stepsDone.includes(step)) return [];
  const stepDone = new ProvisioningStepDone({ ...subject(state), step, doneAt: at });
  if (nextStep(fold(state, stepDone)) !== null) return [stepDone];
  moveStatus(state, 'active');
  return [stepDone, new AccountRequestActivated({ ...subject(state), activatedAt: at })];
}

/** Records the failure of a step and when it is tried again; each wait is at least as long as the one before. */
export function failProvisioning(
  state: OpenRequest,
  step: ProvisioningStep,
  failure: Failure,
  at: Timestamp,
): AccountRequestEvent[] {
  if (state.status !== 'approved' || state.stepsDone.includes(step)) return [];
  moveStatus(state, 'provisioning-failed');
  const failures = state.failures + 1;
  const wait = RETRY_SECONDS[Math.min(failures, RETRY_SECONDS.length) - 1] as number;
  return [
    new ProvisioningFailed({ ...subject(state), step, failure, failures, failedAt: at, retryAt: addSeconds(at, wait) }),
  ];
}

/** Continues after a failure once its time to retry has come; nothing before. */
export function retryProvisioning(state: OpenRequest, at: Timestamp): AccountRequestEvent[] {
  if (state.failure === null || at < state.failure.retryAt) return [];
  moveStatus(state, 'approved');
  return [new ProvisioningRetried({ ...subject(state), retriedAt: at })];
}

/** An account can be closed only once its request is active. */
export function noteAccountClosed(state: OpenRequest, closedAt: Timestamp): AccountRequestEvent[] {
  if (state.status !== 'active' || state.accountClosedAt !== null) return [];
  return [new RequestedAccountClosed({ ...subject(state), closedAt })];
}
