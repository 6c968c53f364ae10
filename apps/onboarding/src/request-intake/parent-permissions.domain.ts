import { refuse } from '@ponte/kernel';
import type { Account } from '../account/account.state';
import type { ParentPermissions } from '../request-rules/rule-inputs.domain';

/** The requesting account as rules 1 and 2 need it. */
export function parentPermissions(state: Account): ParentPermissions {
  if (state.status === 'absent') return refuse('account-not-found', 'there is no such account', 'account-id');
  return { active: state.status === 'active', mode: state.terms.onboardingMode, capabilities: state.capabilities };
}
