import type { Task } from './deliveries';

/** What is due of some endpoints. */
export interface DuePage {
  readonly tasks: readonly Task[];
  /** Where to go on, null after the last endpoint. */
  readonly next: string | null;
}

/** The deliveries that wait for their time, from the view. It may lag, and then names some that have ended since. */
export interface DueDeliveries {
  /**
   * Goes through the endpoints that have something due at `now` (ISO 8601), a page at a time, without those named; of
   * each the longest due, up to a bound. What one endpoint has piled up does not make the others' turn later or dearer.
   */
  due(now: string, withoutEndpoints: readonly string[], from: string | null): Promise<DuePage>;
}
