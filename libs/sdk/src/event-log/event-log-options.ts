import type { WebhookEvent } from '../webhooks/webhook-event';

/** An event and its position in the log. */
export interface LoggedEvent {
  /** Pass it as `after` to continue after this event. Store it once the event is handled. */
  readonly position: number;
  readonly event: WebhookEvent;
}

export interface EventLogOptions {
  /**
   * Reads events after this position; `latest` delivers only new events. Default: from the oldest event that is kept.
   */
  readonly after?: number | 'latest';
  /** Ends the iteration without an error. */
  readonly signal?: AbortSignal;
  /** False ends the iteration at the newest event; true (the default) waits for new events. */
  readonly follow?: boolean;
  /** `sse` (the default) falls back to `poll` if the server does not stream. */
  readonly transport?: 'sse' | 'poll';
  /** Milliseconds between two empty polls. Default: 2,000. */
  readonly pollIntervalMs?: number;
  /** A connection without an event or heartbeat for this many milliseconds is replaced. Default: 60,000. */
  readonly idleTimeoutMs?: number;
  /** Called when a connection is open, and when it was lost and will be reopened. */
  readonly onConnection?: (state: ConnectionState) => void;
}

export type ConnectionState =
  { readonly state: 'open'; readonly transport: 'sse' | 'poll' } | { readonly state: 'lost'; readonly reason: Error };
