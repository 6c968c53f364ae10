import { isUuid } from '@ponte/kernel';
import { notFound } from '../../errors/api-error';

/** The request that a path names. A malformed id is one that is not there. */
export function pathRequest(params: Readonly<Record<string, string>>): string {
  const id = params['id'];
  if (!isUuid(id)) throw notFound('account-request-not-found');
  return id;
}
