import { COUNTS, counter, FLUSHES, gauge, histogram, WAITS } from './metric-definition';

/** Metrics of the edge, the bus, the event store and its readers. */
export const ENGINE_METRICS = {
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
} as const;
