import type { Timestamp } from '@ponte/contracts';
import { addSeconds } from '@ponte/kernel';
import type { OpenRequest } from './account-request.state';

/** How long the policies may take to advance a request before the timer does it. */
const PATIENCE_SECONDS = 60;
/** If a provider has not decided by then, the decision is left to staff. */
export const LIVENESS_PATIENCE_SECONDS = 24 * 3600;

/** When a timer has to process the request even if nothing happens; null if it waits only for people. */
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
