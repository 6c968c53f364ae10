import { counter, gauge, histogram, WAITS } from './metric-definition';

/** Metrics of what the services do: rates, ledger, orders, webhooks, movements and deposits. */
export const SERVICE_METRICS = {
  ponte_rate_age_seconds: gauge(
    'Age of the rate that this process has of a feed; of one that never gave any, the time since it was first asked',
    'feed',
  ),
  ponte_rate_source_age_seconds: gauge('Age of the last rate of one of several USD/BRL sources', 'source'),
  ponte_rate_source_spread_bps: gauge('Distance between bid and ask of one of several USD/BRL sources', 'source'),
  ponte_rate_source_deviation_bps: gauge(
    'Distance of one of several USD/BRL sources from the rate that they agree on',
    'source',
  ),
  ponte_rate_source_verdict: gauge(
    '1 for what a USD/BRL source is at the moment: used, unknown, stale, wide or an outlier; 0 for the others',
    'source',
    'verdict',
  ),
  ponte_rate_sources_spare: gauge('Usable USD/BRL sources beyond the least number; below 0 no rate is known'),

  ponte_ledger_sum_minor_units: gauge(
    'Sum of all postings of an asset over all accounts; anything but 0 is a fault',
    'asset',
  ),
  ponte_accounts_frozen_by_system_total: counter('Accounts that the system froze at once, by reason', 'reason'),
  ponte_ledger_open_holds: gauge('Holds for orders that have not ended, by the time since they were placed', 'age'),
  ponte_withdrawals_open: gauge('Withdrawals that have not ended', 'state', 'method'),
  ponte_address_reviews_open: gauge(
    'Movements that wait for staff because a sanctions list names their address, by what they are',
    'subject',
  ),
  ponte_address_review_oldest_seconds: gauge('Age of the oldest review of an address that waits for staff'),
  ponte_address_true_matches: gauge('Reviews of addresses that ended with a true match, by what they are', 'subject'),
  ponte_withdrawal_oldest_seconds: gauge(
    'Age of the oldest withdrawal that has not ended and does not wait for banking hours',
    'method',
  ),
  ponte_payout_calls_total: counter(
    'Calls to the bank that pays out and to the key directory, by outcome',
    'call',
    'outcome',
  ),
  ponte_orders_open: gauge('Orders that have not ended, by the time since they were placed', 'state', 'age'),
  ponte_holds_without_order: gauge(
    'Holds that the last sweep found without an order, and gave up where it could; of the process that sweeps',
  ),
  ponte_orders_without_settlement: gauge(
    'Orders that the last sweep found processing for too long without a transaction or a payout, and asked for again; of the process that sweeps',
  ),
  ponte_pix_not_taken_in: gauge(
    'Payments at the bank that could not be taken in at the last look and are tried again; of the process that looks',
  ),
  ponte_clock_skew_seconds: gauge(
    'How far the clock of this process is from that of the database, in either direction',
  ),
  ponte_webhook_attempts_total: counter('Attempts at deliveries, by outcome', 'outcome'),
  ponte_webhook_attempt_seconds: histogram('Time from sending a webhook to the status of its response', WAITS),
  ponte_webhook_lag_seconds: histogram('Time from an event to its delivery at the first attempt', WAITS),
  ponte_webhook_oldest_due_seconds: gauge('For how long the oldest due delivery has waited'),
  ponte_transfers_open: gauge('Token transfers that have not ended', 'state'),
  ponte_nft_transfers_open: gauge('NFT transfers that have not ended', 'state'),
  ponte_reward_certificates: gauge('Reward certificates, by their status', 'status'),
  ponte_operator_gas_coins: gauge('Coins of the chain that an operator key can pay gas with', 'chain', 'operator'),
  ponte_operator_movements_left: gauge(
    'Movements that an operator key can pay for at the fee of now',
    'chain',
    'operator',
  ),
  ponte_treasury_waiting_payments: gauge(
    'Payments of the treasury that wait because it holds too little, as this process saw in the last minute',
    'chain',
    'asset',
  ),
  ponte_chain_pending_transactions: gauge('Transactions that are intended or sent and have not ended', 'chain'),
  ponte_chain_oldest_pending_seconds: gauge(
    'For how long the oldest unfinished transaction has stood where it stands',
    'chain',
  ),
  ponte_reconciliation_difference_minor_units: gauge(
    'By how much the chain is over the ledger, beyond what is under way, when it was last compared; of the process that compares',
    'asset',
    'of',
  ),
  ponte_reconciliation_age_seconds: gauge(
    'Time since ledger and chain were last compared, of the process that compares',
  ),
  ponte_deposit_scan_lag_blocks: gauge(
    'Final blocks of a chain that were not read for deposits yet, of the process that reads it',
    'chain',
  ),
  ponte_deposit_scan_age_seconds: gauge(
    'Time since a chain was last read for deposits to its end, of the process that reads it',
    'chain',
  ),
  ponte_deposits_open: gauge('Deposits that are created or confirmed and not credited', 'type', 'status'),
  ponte_deposit_oldest_seconds: gauge(
    'For how long the oldest deposit that is created or confirmed has waited',
    'type',
  ),
  ponte_reorgs_after_completion_total: counter('Completed transactions that a reorg took back', 'chain'),
  ponte_transactions_lost_total: counter('Completed transactions that a reorg took back for good', 'chain'),
} as const;
