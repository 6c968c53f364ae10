import type { ApiKeyRecord } from '@ponte/contracts';
import type { ApiKey } from './api-key';

export const apiKeyRecord = ({ status, terms }: Exclude<ApiKey, { status: 'absent' }>): ApiKeyRecord => ({
  ...terms,
  revoked: status === 'revoked',
});
