import { Unavailable } from '@ponte/kernel';

/**
 * A policy read a state that is older than the event it handles: a node that lags, or another service that has not
 * caught up. Doing nothing would lose the step for good, so it counts as an outage, and the event is retried until the
 * state is there.
 */
export class StateBehindEvent extends Unavailable {
  /** `what` names the resource and its id, `status` what was read instead of what the event says. */
  constructor(what: string, status: string) {
    super(
      'service-unavailable',
      `${what} was read in status ${status}, which is older than the event being handled; the event will be retried`,
    );
  }
}

/** Throws {@link StateBehindEvent}. */
export function behindEvent(what: string, status: string): never {
  throw new StateBehindEvent(what, status);
}
