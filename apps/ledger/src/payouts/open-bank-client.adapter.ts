import { readFileSync } from 'node:fs';
import type { Clock } from '@ponte/kernel';
import type { Metrics } from '@ponte/observability';
import { reportCertificates } from '@ponte/observability';
import type { BankApiSettings } from '../ledger-settings.port';
import { BankClient } from './bank-client.adapter';

/**
 * Reads our credentials from their files, and reports when their certificates expire. Throws if a file cannot be read.
 */
export function openBankClient(
  settings: BankApiSettings,
  purpose: 'pix-bank' | 'payout-bank',
  scope: string | null,
  systemClock: Clock,
  metrics: Metrics,
): BankClient {
  const { url, tokenUrl, clientId, clientSecretFile, certificateFile, keyFile, caFile, timeoutMs } = settings;
  const read = (file: string): string => readFileSync(file, 'utf8');
  const certificate = read(certificateFile);
  const ca = caFile === null ? null : read(caFile);
  reportCertificates(metrics, purpose, certificate);
  if (ca !== null) reportCertificates(metrics, `${purpose}-ca`, ca);
  return new BankClient({
    url,
    tokenUrl,
    clientId,
    clientSecret: read(clientSecretFile).trim(),
    scope,
    certificate,
    key: read(keyFile),
    ca,
    timeoutMs,
    now: () => systemClock.now(),
  });
}
