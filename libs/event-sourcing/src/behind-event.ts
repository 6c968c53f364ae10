import { Unavailable } from '@ponte/kernel';

/**
 * A policy read a state that is older than the event it handles, because a node lags or another service has not caught
 * up. Doing nothing would lose the step permanently, so this counts as an outage: the event is retried until the state
 * has caught up.
 */
export class StateBehindEvent extends Unavailable {
  /** `what` names the resource and its id; `status` is the outdated status that was read. */
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
