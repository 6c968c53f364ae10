import { randomBytes } from 'node:crypto';
import type { Secrets } from './secrets.port';

const SECRET_BYTES = 32;

export const randomSecrets: Secrets = { next: () => `whsec_${randomBytes(SECRET_BYTES).toString('base64')}` };
