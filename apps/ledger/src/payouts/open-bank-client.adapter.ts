import { readFileSync } from 'node:fs';
import type { Clock } from '@ponte/kernel';
import type { BankApiSettings } from '../ledger-settings.port';
import { BankClient } from './bank-client.adapter';

/** Reads our credentials from their files. Throws if one cannot be read. */
export function openBankClient(settings: BankApiSettings, systemClock: Clock, scope: string | null): BankClient {
  const { url, tokenUrl, clientId, clientSecretFile, certificateFile, keyFile, caFile, timeoutMs } = settings;
  const read = (file: string): string => readFileSync(file, 'utf8');
  return new BankClient({
    url,
    tokenUrl,
    clientId,
    clientSecret: read(clientSecretFile).trim(),
    scope,
    certificate: read(certificateFile),
    key: read(keyFile),
    ca: caFile === null ? null : read(caFile),
    timeoutMs,
    now: () => systemClock.now(),
  });
}
