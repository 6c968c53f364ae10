import type { PendingStep, StandingEntry, StandingStep } from '@ponte/contracts';
import { STOPPING_REASONS } from '@ponte/contracts';
import type { Account, DecidedStep, Standing } from './account.state';

/** The standing after a staff member requested a step. */
export function requested(
  standing: Standing,
  step: StandingStep,
  { reason, evidence, requestedBy, requestedAt, writeOff }: Omit<PendingStep, 'request' | 'step'>,
): Standing {
  const request = standing.requests + 1;
  return {
    ...noted(standing, { type: `${step}-requested`, reason, staff: [requestedBy], at: requestedAt }),
    requests: request,
    pending: { request, step, reason, evidence, requestedBy, requestedAt, ...(writeOff && { writeOff }) },
  };
}

/** The standing after a decision, after which nothing is pending. The last staff member of the entry decided. */
export function decided(standing: Standing, outcome: DecidedStep['outcome'], entry: StandingEntry): Standing {
  const { pending } = standing;
  const staffId = entry.staff.at(-1);
  const isByStaff = pending !== null && staffId !== undefined;
  return {
    ...noted(standing, entry),
    pending: null,
    decided: isByStaff ? { request: pending.request, step: pending.step, outcome, staffId } : standing.decided,
  };
}

/**
 * The standing after the system froze the account. A pending freeze stays: its reason is another one. A pending release
 * or closing ends, because it did not consider the new reason.
 */
export const frozenAutomatically = (standing: Standing, entry: StandingEntry): Standing => ({
  ...noted(standing, entry),
  pending: standing.pending?.step === 'freeze' ? standing.pending : null,
});

const noted = (standing: Standing, entry: StandingEntry): Standing => ({
  ...standing,
  history: [...standing.history, entry],
});

/**
 * Whether the account is frozen or closed for one of `STOPPING_REASONS`. The reasons of freezes that were lifted do not
 * count.
 */
export function isStopped(account: Account): boolean {
  if (account.status === 'absent' || account.status === 'active') return false;
  const { freezes, history } = account.standing;
  const closing = history.findLast(({ type }) => type === 'closed');
  const reasons = [...freezes.map(({ reason }) => reason), ...(closing?.reason ? [closing.reason] : [])];
  return reasons.some((reason) => (STOPPING_REASONS as readonly string[]).includes(reason));
}
