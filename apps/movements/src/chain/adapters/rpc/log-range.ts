import { BaseError, HttpRequestError, TimeoutError } from 'viem';
import { isOutage } from './broadcast-outcome';

/** HTTP statuses with which providers reject a log query over too many blocks. */
const TOO_WIDE = new Set([400, 413]);

/** Whether the error of a log query may mean that its range is too wide. */
export function isRangeTooWide(error: unknown): boolean {
  if (!isOutage(error)) return true;
  if (!(error instanceof BaseError)) return false;
  const http = error.walk((cause) => cause instanceof HttpRequestError);
  return (
    error.walk((cause) => cause instanceof TimeoutError) !== null ||
    (http instanceof HttpRequestError && TOO_WIDE.has(http.status ?? 0))
  );
}
