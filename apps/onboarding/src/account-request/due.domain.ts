import type { Timestamp } from '@ponte/contracts';
import { addSeconds } from '@ponte/kernel';
import type { OpenRequest } from './account-request.state';

/** So long the policies have to carry a request on by themselves before the timer does. */
const PATIENCE_SECONDS = 60;
/** A provider that has not decided by then leaves it to people. */
export const LIVENESS_PATIENCE_SECONDS = 24 * 3600;

/** When someone has to look at the request although nothing happened; null when it waits for people alone. */
export function dueAt({ status, stage, since, information, failure }: OpenRequest): Timestamp | null {
  switch (status) {
    case 'pending':
      break;
    case 'approved':
      return addSeconds(since, PATIENCE_SECONDS);
    case 'provisioning-failed':
      return failure?.retryAt ?? since;
    case 'active':
    case 'rejected':
    case 'expired':
    case 'cancelled':
      return null;
  }
  switch (stage) {
    case 'received':
    case 'screening':
      return addSeconds(since, PATIENCE_SECONDS);
    case 'information-requested':
      return information?.dueAt ?? since;
    case 'manual-review':
    case null:
      return null;
  }
}
