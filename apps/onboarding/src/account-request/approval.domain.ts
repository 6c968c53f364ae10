import { refuse } from '@ponte/kernel';
import { hasFindings, hasTrueMatch, openHits } from './findings.domain';
import { needsTwoApprovers } from './four-eyes.domain';
import type { OpenRequest } from './account-request.state';

/**
 * The basis of an approval. `staff`: staff members, including the one who decides now. `rules`: in reliance mode the
 * parent has checked the person. `sandbox-outcome`: a sandbox CPF that requests approval. `sandbox-decision`: the
 * partner decides in place of staff in the sandbox.
 */
export type ApprovalGrounds = 'staff' | 'rules' | 'sandbox-outcome' | 'sandbox-decision';

/**
 * The only check on the way to any approval. Refuses `screening-verdict-required`, `true-match-found`,
 * `second-approver-required` and `review-by-staff-required`.
 */
export function assertApprovable(state: OpenRequest, grounds: ApprovalGrounds, approvedBy: readonly string[]): void {
  switch (grounds) {
    case 'staff':
      assertHitsCleared(state);
      if (needsTwoApprovers(state) && new Set(approvedBy).size < 2)
        refuse('second-approver-required', 'two different approvers have to approve the request', 'id');
      return;
    case 'rules':
      if (hasFindings(state) || needsTwoApprovers(state))
        refuse('review-by-staff-required', 'two approvers of compliance have to decide this request', 'id');
      return;
    case 'sandbox-decision':
      if (hasFindings(state))
        refuse(
          'review-by-staff-required',
          'screening or liveness found something: two approvers of compliance have to decide this request',
          'id',
        );
      return;
    case 'sandbox-outcome':
      if (state.terms.sandboxOutcome !== 'approve')
        throw new Error('the request has no sandbox outcome that approves it');
  }
}

/** Asserts that every hit has a verdict and that no hit is a true match. */
export function assertHitsCleared(state: OpenRequest): void {
  if (hasTrueMatch(state))
    refuse('true-match-found', 'a screening hit is the person: the request can only be rejected', 'id');
  const open = openHits(state).length;
  if (open > 0)
    refuse(
      'screening-verdict-required',
      `${open === 1 ? 'one screening hit has' : `${open} screening hits have`} no verdict: state for each whether ` +
        'it is the person',
      'id',
    );
}
