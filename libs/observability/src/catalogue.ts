/**
 * One metric: what it counts, and the labels under which it does. Labels never hold an id, and none has a name that the
 * scrape gives (`service`, `instance`): Prometheus would put its own in that place, and the process's word under
 * another.
 */
export interface MetricDefinition {
  readonly kind: 'counter' | 'gauge' | 'histogram';
  readonly help: string;
  readonly labels: readonly string[];
  /** Upper bounds of a histogram, in the unit of its name. */
  readonly buckets?: readonly number[];
}

/** Seconds: from a look-up in memory to the deadline of a request. */
const WAITS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10];
/** Seconds of a flushed append: group commit on a good disk takes 1 ms, a cluster of three some more. */
const FLUSHES = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.5, 2.5];
const COUNTS = [1, 2, 4, 8, 16, 32, 64, 128];

const counter = (help: string, ...labels: string[]): MetricDefinition => ({ kind: 'counter', help, labels });
const gauge = (help: string, ...labels: string[]): MetricDefinition => ({ kind: 'gauge', help, labels });
const histogram = (help: string, buckets: readonly number[], ...labels: string[]): MetricDefinition => ({
  kind: 'histogram',
  help,
  labels,
  buckets,
});

/**
 * Every metric of ours, wherever it is taken. Rules, dashboards and docs/operations.md are checked against this table.
 * Counters that are silent for long begin at zero, so that their first event is an increase.
 */
export const CATALOGUE = {
  ponte_ready: gauge('1 while this process may be sent work'),
  ponte_metric_failures_total: counter(
    'Readings of a metric that failed, which is then absent from that scrape',
    'metric',
  ),

  ponte_spans_exported_total: counter('Spans that the collector of traces has taken'),
  ponte_spans_dropped_total: counter(
    'Spans that were given up: the collector did not take them, or too many waited for it',
    'reason',
  ),

  ponte_gateway_request_seconds: histogram(
    'Time from the arrival of a request to the end of its answer',
    WAITS,
    'operation',
  ),
  ponte_gateway_requests_total: counter('Answered requests', 'operation', 'status'),
  ponte_gateway_connections_cut_total: counter(
    'Connections that were closed because their address had too many, or because their callers sent too many requests ahead or did not read the responses',
    'reason',
  ),

  ponte_gateway_event_streams: gauge('Event streams that are open'),
  ponte_gateway_event_streams_ended_total: counter('Event streams that ended, by why', 'reason'),
  ponte_gateway_events_streamed_total: counter('Events that were sent to event streams'),
  ponte_gateway_event_stream_lag_seconds: histogram('Time from an event to its sending to an open event stream', WAITS),

  ponte_gateway_shed_share: gauge(
    'Share of requests for new work that is put off while accepted work is behind, from 0 to 1',
    'kind',
  ),
  ponte_gateway_shed_total: counter(
    'Requests for new work that were put off while accepted work was behind',
    'operation',
  ),

  ponte_message_seconds: histogram(
    'Time in which this process carried out a command or a query',
    WAITS,
    'pattern',
    'outcome',
  ),
  ponte_unanswered_calls_total: counter(
    'Requests to a service of which the outcome is unknown to the caller',
    'pattern',
  ),
  ponte_event_handling_seconds: histogram(
    'Time in which a group of consumers handled one event, one attempt each',
    WAITS,
    'group',
    'source',
    'outcome',
  ),
  ponte_parked_events: gauge('Events that were set aside and wait for an operator, with those behind them', 'group'),
  ponte_parked_streams: gauge('Streams of which something is set aside', 'group'),

  ponte_append_seconds: histogram('Time from the request to append to the durable answer', FLUSHES, 'outcome'),
  ponte_append_events: histogram('Events of one append', COUNTS),
  ponte_event_store_faults: gauge('Readers of the log that an operator must help on, by what stops them', 'kind'),
  ponte_append_conflicts_total: counter(
    'Appends that found their stream elsewhere, by category of streams',
    'category',
  ),

  ponte_reader_lag_seconds: gauge(
    'Age of the oldest event that a reader of the log has in hand and has not finished; 0 at the head',
    'reader',
  ),
  ponte_reader_behind_positions: gauge(
    'How far a reader is behind the head of the log: events in SQLite, bytes in EventStoreDB',
    'reader',
  ),
  ponte_reader_events_total: counter('Events that a reader of the log has finished', 'reader'),
  ponte_backlog_seconds: gauge(
    'How late a reader of the log or a consumer of the bus finishes what it reads: the least of its last second',
    'reader',
  ),
  ponte_lease_held: gauge(
    '1 for each job that this process alone does at the moment, 0 for one that it waits to be given',
    'lease',
  ),
  ponte_lease_losses_total: counter('Leases that this process lost while it held them', 'lease'),

  ponte_relay_events_total: counter('Events of the log that the brokers have acknowledged'),
  ponte_relay_lag_seconds: gauge(
    'Age of the last relayed event at the time when the brokers had it, 0 when the relay was at the head; of the process that relays',
  ),
  ponte_consumer_lag_messages: gauge('Messages of the partitions of this process that it has not finished', 'topic'),
  ponte_consumer_partitions: gauge('Partitions that this process reads', 'topic'),
  ponte_consumer_unfinished_messages: gauge(
    'Messages taken and not finished: at work, or waiting for their turn',
    'group',
  ),
  ponte_consumer_restarts_total: counter('Consumers that broke down or stood still and were started again', 'group'),
  ponte_dead_letters_total: counter('Events that were parked and sent to the dead letters', 'group'),
  ponte_undecodable_messages_total: counter('Messages of an event topic that are no event', 'topic'),
  ponte_event_gaps_total: counter('Times that events of a stream were missing between two that came', 'source'),
  ponte_duplicate_events_total: counter('Events that came to a group once more', 'group'),

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
} satisfies Record<string, MetricDefinition>;

export type MetricName = keyof typeof CATALOGUE;
