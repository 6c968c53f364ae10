import { counter, gauge, histogram, WAITS } from './metric-definition';

/** Metrics of the services: ledger, orders, webhooks, transfers and deposits. */
export const SERVICE_METRICS = {
  ponte_ledger_sum_minor_units: gauge('Sum of all postings of an asset over all accounts; must be 0', 'asset'),
  ponte_settlement_minor_units: gauge('Fiat money at our bank according to the books (house:settlement)', 'asset'),
  ponte_account_requests_open: gauge('Open account requests: pending ones by stage, the others by status', 'standing'),
  ponte_account_request_oldest_seconds: gauge(
    'Time for which the oldest pending account request of a stage has been in it',
    'stage',
  ),
  ponte_account_step_oldest_seconds: gauge(
    'Time for which the oldest freeze, release or closing of an account has waited for its second staff member',
    'step',
  ),
  ponte_accounts_frozen_by_system_total: counter('Accounts that the system froze automatically, by reason', 'reason'),
  ponte_closed_account_losses_total: counter(
    'Losses of accounts that were closed already, which the system could not freeze, by reason',
    'reason',
  ),
  ponte_settlements_contradicted_total: counter(
    'Settlements by staff that payments at the bank contradict, by reason: taken-back (the bank also took the ' +
      'payment back) or payment-booked (the reference belongs to a payment that Ponte made)',
    'reason',
  ),
  ponte_bank_references_reused_total: counter(
    'Payments whose bank reference already belonged to another payment that Ponte made',
  ),
  ponte_payouts_contradicted_total: counter(
    'Reports of the bank about payouts and returns that contradict what Ponte recorded, by reason',
    'reason',
  ),
  ponte_ledger_open_holds: gauge(
    'Open holds for orders, by age and the staff decision that their orders wait for',
    'age',
    'waits_for',
  ),
  ponte_withdrawals_open: gauge('Open withdrawals', 'state', 'method'),
  ponte_address_reviews_open: gauge('Address reviews that wait for staff, by subject', 'subject'),
  ponte_address_review_oldest_seconds: gauge('Age of the oldest address review that waits for staff'),
  ponte_address_true_matches: gauge('Address reviews that ended with a true match, by subject', 'subject'),
  ponte_screening_findings_open: gauge('Findings of ongoing screening that wait, by status', 'status'),
  ponte_screening_finding_oldest_seconds: gauge('Age of the oldest finding of ongoing screening that waits'),
  ponte_screening_round_age_seconds: gauge(
    'Time since the last screening round was completed, with the version of its lists; since the first was started ' +
      'if none was completed',
    'lists_version',
  ),
  ponte_screening_cases_aside: gauge(
    'Requests and accounts that the latest screening round has failed to screen so far',
  ),
  ponte_screening_list_refused: gauge(
    '1 while the file of a screening list is missing, or has changed and cannot be used, else 0',
    'list',
  ),
  ponte_screening_list_entries: gauge(
    'Entries of a screening list in use: people, or addresses of the list of sanctioned addresses',
    'list',
  ),
  ponte_screening_list_age_seconds: gauge('Time since the file of a screening list in use was written', 'list'),
  ponte_withdrawal_oldest_seconds: gauge(
    'Time for which the oldest due withdrawal has been due; one that waits for banking hours or staff is not due, and ' +
      'a TED counts only the banking hours of the day',
    'method',
  ),
  ponte_transfer_oldest_seconds: gauge(
    'Age of the oldest open transfer of tokens or of an NFT, without those that wait for staff',
    'type',
  ),
  ponte_payout_calls_total: counter(
    'Calls to the payout bank and the Pix key directory, by outcome',
    'call',
    'outcome',
  ),
  ponte_pix_key_look_ups_total: counter(
    'Look-ups of Pix keys for requests of clients, by outcome; limited: refused without a look-up',
    'outcome',
  ),
  ponte_pix_calls_total: counter('Calls to the bank that receives Pix, by outcome', 'call', 'outcome'),
  ponte_orders_open: gauge(
    'Open orders, by state, age and the staff decision that they wait for',
    'state',
    'age',
    'waits_for',
  ),
  ponte_order_oldest_waiting_seconds: gauge(
    'Longest time that a processing order has waited for the release of its account, or for the review of its wallet',
    'waits_for',
  ),
  ponte_holds_without_order: gauge('Holds without an order that the last sweep found; only in the process that sweeps'),
  ponte_holds_without_transfer: gauge(
    'Holds that no transfer needs, found by the last sweep; only in the process that sweeps',
  ),
  ponte_holds_without_withdrawal: gauge('Holds older than 15 minutes that no open withdrawal needs'),
  ponte_orders_without_settlement: gauge(
    'Orders that the last sweep found processing for too long without a transaction or payout, or after their ' +
      'settlement ended; only in the process that sweeps',
  ),
  ponte_movements_without_transaction: gauge(
    'Transfers, token withdrawals, certificates and tokens in suspense that the last sweep found accepted for too ' +
      'long without a transaction, or unfinished after it ended; only in the process that sweeps',
  ),
  ponte_bank_entries_failing: gauge(
    'Payments at the bank that fail to be recorded and are retried at each poll, by reader; only in the process ' +
      'that polls',
    'reader',
  ),
  ponte_bank_oldest_failing_seconds: gauge(
    'Time for which the oldest payment at the bank has failed to be recorded, since the process that polls started',
    'reader',
  ),
  ponte_bank_poll_age_seconds: gauge(
    'Time since the moment up to which a reader has read its lists at the bank; only in the process that polls',
    'reader',
  ),
  ponte_bank_ids_malformed_total: counter(
    "Entries of the bank's lists of payments whose id is malformed and which are not recorded, by list",
    'list',
  ),
  ponte_bank_partial_take_backs_total: counter(
    'Payments of which the bank took back only part; the ledger does not record that',
  ),
  ponte_bank_unrequested_returns_total: counter(
    'Received payments that the bank returned without a request of Ponte; the ledger does not record that',
  ),
  ponte_clock_skew_seconds: gauge('Absolute difference between the clock of this process and that of the database'),
  ponte_certificate_expires_at_seconds: gauge(
    'When the first certificate that this process has loaded for a purpose expires, as Unix time',
    'purpose',
  ),
  ponte_webhook_attempts_total: counter('Delivery attempts, by outcome', 'outcome'),
  ponte_webhook_attempt_seconds: histogram('Time from sending a webhook to the status of its response', WAITS),
  ponte_webhook_lag_seconds: histogram('Time from an event to its delivery, where the first attempt succeeds', WAITS),
  ponte_webhook_outboxes_failing: gauge(
    'Accounts whose outbox cannot be written; only in the process that writes them',
  ),
  ponte_webhook_schedules_failing: gauge(
    'Accounts whose webhooks cannot be scheduled; only in the process that schedules them',
  ),
  ponte_webhook_oldest_due_seconds: gauge(
    'Time for which the oldest due delivery has waited, except at endpoints that are failing',
  ),
  ponte_transfers_open: gauge('Open token transfers', 'state'),
  ponte_nft_transfers_open: gauge('Open NFT transfers', 'state'),
  ponte_reward_certificates: gauge('Reward certificates, by status', 'status'),
  ponte_reconciliation_difference_minor_units: gauge(
    'Amount by which the chain exceeds the ledger, without movements in progress, at the last comparison; only in ' +
      'the process that compares',
    'asset',
    'of',
  ),
  ponte_reconciliation_age_seconds: gauge(
    'Time since the last comparison of ledger and chain; only in the process that compares',
    'chain',
  ),
  ponte_deposit_scan_lag_blocks: gauge(
    'Final blocks of a chain that are not scanned for deposits yet; only in the process that scans it',
    'chain',
  ),
  ponte_deposit_scan_age_seconds: gauge(
    'Time since a chain was last scanned for deposits to its final block; only in the process that scans it',
    'chain',
  ),
  ponte_deposits_open: gauge('Deposits that are created or confirmed and not yet credited', 'type', 'status'),
  ponte_usd_deposit_oldest_unconfirmed_seconds: gauge(
    'Age of the oldest USD deposit that staff recorded and a second staff member has neither confirmed nor rejected',
  ),
  ponte_deposit_oldest_seconds: gauge(
    'Age of the oldest deposit that is created or confirmed and not yet credited, by the staff decision that it ' +
      'waits for; without USD deposits that wait for a second staff member',
    'type',
    'waits_for',
  ),
  ponte_double_returns: gauge(
    'Payments that the bank took back although they had been paid back before; the money left twice',
  ),
  ponte_refused_payouts_made: gauge(
    'Payouts that the bank made after their withdrawals were rolled back and the accounts had their funds back',
  ),
  ponte_return_oldest_seconds: gauge(
    'Age of the oldest return of a received payment that the bank has not finished, without blocked ones',
  ),
  ponte_blocked_return_oldest_seconds: gauge(
    'Time for which the oldest blocked return has waited until money may leave the frozen account',
  ),
  ponte_failed_returns: gauge(
    'Payments that the bank refused permanently to send back to their payers and that staff have not settled',
  ),
  ponte_unallocated_receipts: gauge(
    'Payments that no account may receive, and that staff have not settled: the bank returned them, or their ' +
      'account was closed before they were credited',
  ),
  ponte_set_aside_deposits: gauge('Deposits of tokens of closed accounts that staff set aside and have not settled'),
  ponte_set_aside_oldest_seconds: gauge('Age of the oldest set-aside deposit that staff have not settled'),
} as const;
