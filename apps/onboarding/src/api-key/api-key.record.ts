import type { ApiKeyRecord } from '@ponte/contracts';
import type { ApiKey } from './api-key.decider';

export const apiKeyRecord = ({ status, terms }: Exclude<ApiKey, { status: 'absent' }>): ApiKeyRecord => ({
  ...terms,
  revoked: status === 'revoked',
});
