import type { Call } from '../edge/request-context.service';
import type { SignedIn } from './signed-in';

/** The signed-in staff member. Throws when the route has no session, which is a programming error. */
export function signedIn({ staff }: Call): SignedIn {
  if (!staff) throw new TypeError('the route does not use a session');
  return staff;
}
