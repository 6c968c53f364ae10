import type { Fault } from '@ponte/kernel';
import type { Problem } from './problem';
import { problemOf } from './catalogue';

interface Particulars {
  /** All faults at once, in the order of the rules; the first one is the error's own. */
  readonly faults?: readonly Fault[];
  readonly headers?: Readonly<Record<string, string>>;
  /** In place of the catalogue's. */
  readonly message?: string;
}

/** An error that the edge itself answers with. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly problem: Problem;
  readonly faults: readonly Fault[] | undefined;
  readonly headers: Readonly<Record<string, string>>;

  constructor(code: string, particulars: Particulars = {}) {
    const problem = problemOf(code);
    super(particulars.message ?? particulars.faults?.[0]?.message ?? problem.message);
    this.problem = problem;
    this.faults = particulars.faults;
    this.headers = particulars.headers ?? {};
  }
}

/** One error with all the faults of a request's shape. */
export function shapeError(faults: readonly Fault[]): ApiError {
  const first = faults[0];
  if (!first) throw new TypeError('a shape error needs a fault');
  return new ApiError(first.code, { faults });
}

/** What is not there, or not the account's. */
export const notFound = (code: string): ApiError => new ApiError(code);

/** The one body for every account that the caller cannot reach, existing or not: no oracle. */
export const accessDenied = (): ApiError => new ApiError('account-access-denied');
