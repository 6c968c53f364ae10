import { COUNTS, counter, FLUSHES, gauge, histogram, WAITS } from './metric-definition';

/** Metrics of the gateway, the bus, the event store and its readers. */
export const ENGINE_METRICS = {
  ponte_ready: gauge('1 while this process is ready, otherwise 0'),
  ponte_metric_failures_total: counter(
    'Metric readings that failed; a metric that cannot be read is missing from that scrape',
    'metric',
  ),

  ponte_spans_exported_total: counter('Spans that the trace collector accepted'),
  ponte_spans_dropped_total: counter(
    'Spans that were dropped because the collector did not accept them or the queue was full',
    'reason',
  ),

  ponte_gateway_request_seconds: histogram(
    'Time from the arrival of a request to the end of its response',
    WAITS,
    'operation',
  ),
  ponte_gateway_requests_total: counter('Requests that were answered', 'operation', 'status'),
  ponte_gateway_connections_cut_total: counter(
    'Connections that the gateway closed, by reason: too many from one address, too many pipelined requests, or responses that were not read',
    'reason',
  ),

  ponte_gateway_authentications_limited_total: counter(
    'Authentications that were refused with 429 after too many failures, by credentials: API key, staff token or password',
    'credentials',
  ),

  ponte_gateway_event_streams: gauge('Open event streams'),
  ponte_gateway_event_streams_ended_total: counter('Event streams that ended, by reason', 'reason'),
  ponte_gateway_events_streamed_total: counter('Events sent to event streams'),
  ponte_gateway_event_stream_lag_seconds: histogram(
    'Time from an event until it is sent to an open event stream',
    WAITS,
  ),

  ponte_gateway_shed_share: gauge(
    'Share of requests for new work that are refused because accepted work is behind, from 0 to 1',
    'kind',
  ),
  ponte_gateway_shed_total: counter(
    'Requests for new work that were refused because accepted work was behind',
    'operation',
  ),

  ponte_message_seconds: histogram('Duration of a command or query in this process', WAITS, 'pattern', 'outcome'),
  ponte_unanswered_calls_total: counter(
    'Requests to another service whose outcome is unknown to the caller',
    'pattern',
  ),
  ponte_event_handling_seconds: histogram(
    'Duration of one attempt of a consumer group to handle one event',
    WAITS,
    'group',
    'source',
    'outcome',
  ),
  ponte_parked_events: gauge(
    'Parked events, including the later events of their streams that wait behind them',
    'group',
  ),
  ponte_parked_streams: gauge('Streams with parked events', 'group'),
  ponte_parked_oldest_seconds: gauge('Time since the oldest parked event was parked; 0 for none', 'group'),

  ponte_append_seconds: histogram('Time from an append request to its durable acknowledgement', FLUSHES, 'outcome'),
  ponte_append_events: histogram('Events per append', COUNTS),
  ponte_event_store_faults: gauge(
    'Readers of the log that are stopped until an operator acts, by kind of fault',
    'kind',
  ),
  ponte_append_conflicts_total: counter(
    'Appends that conflicted with another write to the same stream, by stream category',
    'category',
  ),

  ponte_reader_lag_seconds: gauge(
    'Age of the oldest event that a reader of the log is processing; 0 at the end of the log',
    'reader',
  ),
  ponte_reader_behind_positions: gauge(
    'Distance of a reader from the end of the log: events in SQLite, bytes in EventStoreDB',
    'reader',
  ),
  ponte_reader_events_total: counter('Events that a reader of the log has processed', 'reader'),
  ponte_backlog_seconds: gauge(
    'Delay with which a reader of the log or a consumer of the bus finishes its work: the minimum of the last second. If a consumer finishes nothing although events wait, the time for which this has lasted',
    'reader',
  ),
  ponte_lease_held: gauge('1 for each lease that this process holds, 0 for each that it waits for', 'lease'),
  ponte_lease_losses_total: counter('Leases that this process lost while it held them', 'lease'),

  ponte_relay_events_total: counter('Events that the relay published and the brokers acknowledged'),
  ponte_relay_lag_seconds: gauge(
    'Age of the last relayed event when the brokers acknowledged it, 0 at the end of the log; only in the process that relays',
  ),
  ponte_consumer_lag_messages: gauge('Unfinished messages in the partitions of this process', 'topic'),
  ponte_consumer_partitions: gauge('Partitions assigned to this process', 'topic'),
  ponte_consumer_unfinished_messages: gauge(
    'Messages that were fetched and are not finished: in progress or queued',
    'group',
  ),
  ponte_consumer_restarts_total: counter('Consumers that failed or stalled and were restarted', 'group'),
  ponte_dead_letters_total: counter('Events that were parked and copied to the dead letters', 'group'),
  ponte_undecodable_messages_total: counter('Messages on an event topic that are not events', 'topic'),
  ponte_event_gaps_total: counter('Gaps that were found between two events of a stream', 'source'),
  ponte_duplicate_events_total: counter('Events that a consumer group received again', 'group'),
} as const;
