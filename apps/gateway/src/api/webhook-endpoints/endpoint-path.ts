import type { AccountRequest, Call } from '../../edge/request-context';
import { found } from '../../errors/api-error';
import { pathEndpoint } from '../path';

/** The endpoint of a path, as services are asked for it. */
export const endpointOf = (call: Call, params: AccountRequest['params']) => ({
  accountId: call.accountId,
  endpointId: pathEndpoint(params),
});

/** What a service says of an endpoint. Throws `webhook-endpoint-not-found` when it does not exist. */
export const known = <T>(endpoint: T | null): T => found(endpoint, 'webhook-endpoint-not-found');
