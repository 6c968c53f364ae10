import type { AccountRequest, Call } from '../../edge/request-context.service';
import { found } from '../../errors/api-error';
import { pathEndpoint } from '../path';

/** The payload fields that identify the endpoint of a path. */
export const endpointOf = (call: Call, params: AccountRequest['params']) => ({
  accountId: call.accountId,
  endpointId: pathEndpoint(params),
});

/** Throws `webhook-endpoint-not-found` when the service found no endpoint. */
export const known = <T>(endpoint: T | null): T => found(endpoint, 'webhook-endpoint-not-found');
