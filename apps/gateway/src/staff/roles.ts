import type { StaffRole } from '@ponte/contracts';
import { STAFF_ROLES } from '@ponte/contracts';

const EVERYBODY: readonly StaffRole[] = STAFF_ROLES;
const COMPLIANCE: readonly StaffRole[] = ['compliance-analyst', 'compliance-approver'];
const VIEWERS: readonly StaffRole[] = ['compliance-analyst', 'compliance-approver', 'auditor'];
const PRIVACY: readonly StaffRole[] = ['compliance-approver', 'auditor'];
const APPROVERS: readonly StaffRole[] = ['compliance-approver'];
const BOOKKEEPERS: readonly StaffRole[] = ['operator', 'auditor'];
const OPERATORS: readonly StaffRole[] = ['operator'];
/** The staff member who recorded the deposit, or asked for the step, is refused in every role. */
const CONFIRMERS: readonly StaffRole[] = ['operator', 'compliance-approver'];

/**
 * Which roles may call which operation of the staff API: the guard enforces this table and the documents print it. The
 * onboarding service checks the rules that depend on a case: escalation, four eyes, restriction.
 */
export const ROLES_OF = {
  'staff-get-session': EVERYBODY,
  'staff-sign-out': EVERYBODY,
  'staff-list-members': EVERYBODY,
  'staff-list-account-requests': EVERYBODY,
  'staff-list-partners': EVERYBODY,
  'staff-get-history': EVERYBODY,
  'staff-claim': COMPLIANCE,
  'staff-release': COMPLIANCE,
  'staff-escalate': COMPLIANCE,
  'staff-ask-information': COMPLIANCE,
  'staff-judge-hit': COMPLIANCE,
  'staff-approve': COMPLIANCE,
  'staff-reject': COMPLIANCE,
  'staff-open-case': VIEWERS,
  'staff-open-file': VIEWERS,
  'staff-get-privacy-report': PRIVACY,
  'staff-make-privacy-report': PRIVACY,
  'staff-prepare-erasure': APPROVERS,
  'staff-erase': APPROVERS,
  'staff-list-frozen-accounts': EVERYBODY,
  'staff-get-account-standing': VIEWERS,
  'staff-request-freeze': COMPLIANCE,
  'staff-request-release': COMPLIANCE,
  'staff-confirm-freeze': APPROVERS,
  'staff-confirm-release': APPROVERS,
  'staff-close-freeze-request': COMPLIANCE,
  'staff-request-closing': COMPLIANCE,
  'staff-confirm-closing': APPROVERS,
  'staff-list-whitelisted-wallets': OPERATORS,
  'staff-whitelist-account-wallet': OPERATORS,
  'staff-record-usd-deposit': OPERATORS,
  'staff-list-usd-deposits': EVERYBODY,
  'staff-open-usd-deposit': CONFIRMERS,
  'staff-confirm-usd-deposit': CONFIRMERS,
  'staff-reject-usd-deposit': CONFIRMERS,
  'staff-list-deposits': EVERYBODY,
  'staff-get-deposit': EVERYBODY,
  'staff-request-set-aside': OPERATORS,
  'staff-confirm-set-aside': CONFIRMERS,
  'staff-reject-set-aside': CONFIRMERS,
  'staff-list-failed-returns': EVERYBODY,
  'staff-open-failed-return': VIEWERS,
  'staff-list-double-returns': EVERYBODY,
  'staff-list-refused-payouts': EVERYBODY,
  'staff-propose-settlement': OPERATORS,
  'staff-propose-sending': OPERATORS,
  'staff-confirm-settlement': CONFIRMERS,
  'staff-reject-settlement': CONFIRMERS,
  'staff-issue-certificate': OPERATORS,
  'staff-list-certificates': EVERYBODY,
  'staff-get-certificate': EVERYBODY,
  'staff-list-transfers': EVERYBODY,
  'staff-get-transfer': EVERYBODY,
  'staff-list-nft-transfers': EVERYBODY,
  'staff-get-nft-transfer': EVERYBODY,
  'staff-list-withdrawals': EVERYBODY,
  'staff-get-withdrawal': EVERYBODY,
  'staff-get-quote': EVERYBODY,
  'staff-get-pricing-rules': EVERYBODY,
  'staff-get-rules-version': EVERYBODY,
  'staff-check-pricing-rules': EVERYBODY,
  'staff-backtest-pricing-rules': ['operator', 'compliance-approver', 'auditor'],
  'staff-list-address-reviews': EVERYBODY,
  'staff-get-address-review': EVERYBODY,
  'staff-decide-address-review': APPROVERS,
  'staff-list-screening-findings': EVERYBODY,
  'staff-open-screening-finding': VIEWERS,
  'staff-judge-screening-finding': APPROVERS,
  'staff-get-fx-days': BOOKKEEPERS,
  'staff-download-fx-days': BOOKKEEPERS,
  'staff-get-iof-payable': BOOKKEEPERS,
  'staff-download-iof-payable': BOOKKEEPERS,
  'staff-end-sessions': OPERATORS,
} as const satisfies Readonly<Record<string, readonly StaffRole[]>>;

export type StaffOperationId = keyof typeof ROLES_OF;
