import type { Metrics } from '@ponte/observability';
import { ApiError } from '../errors/api-error';

/** Refuses authentications of one kind with 429 after too many failures, and counts these responses. */
export class LimitedFailures {
  private readonly counted: ReturnType<Metrics['counter']>;

  /** The counter exists from the start, so that its first increase can be seen. */
  constructor(metrics: Pick<Metrics, 'counter'>, credentials: 'api-key' | 'staff-token' | 'password') {
    this.counted = metrics.counter('ponte_gateway_authentications_limited_total', { credentials });
  }

  /**
   * The response to one more failure, or to a request whose credentials were not checked, which may be repeated after
   * `waitMs`. Clients tell the two apart by the code: wrong credentials are wrong again.
   */
  refusal(checked: 'wrong' | 'unchecked', waitMs: number, message: string): ApiError {
    this.counted.inc();
    return new ApiError(checked === 'wrong' ? 'too-many-failed-authentications' : 'rate-limited', {
      message,
      headers: { 'retry-after': String(Math.max(1, Math.ceil(waitMs / 1_000))) },
    });
  }
}
