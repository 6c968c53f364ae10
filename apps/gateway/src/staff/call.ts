import type { Call } from '../edge/request-context';
import type { SignedIn } from './signed-in';

/** Who of the staff asks. The guard has put it there; a route without it is a fault of ours. */
export function signedIn({ staff }: Call): SignedIn {
  if (!staff) throw new TypeError('the route does not use a session');
  return staff;
}
