import { X509Certificate } from 'node:crypto';
import type { Metrics } from './metrics';

/** What a certificate is for: our own, by which we authenticate (no suffix), or those of the CAs that we trust. */
export type CertificatePurpose =
  | 'pix-bank'
  | 'pix-bank-ca'
  | 'payout-bank'
  | 'payout-bank-ca'
  | 'event-store'
  | 'event-store-ca'
  | 'kafka-ca'
  | 'postgres'
  | 'postgres-ca';

const CERTIFICATE = /-----BEGIN CERTIFICATE-----[^-]+-----END CERTIFICATE-----/g;

/**
 * When the first of these certificates (PEM) expires, as Unix time in seconds; null without certificates. One that
 * cannot be decoded is left out: the connection that uses it fails and reports it.
 */
export function earliestExpiry(pem: string): number | null {
  const times = (pem.match(CERTIFICATE) ?? []).map(expiryOf).filter((time) => time !== null);
  return times.length === 0 ? null : Math.min(...times);
}

function expiryOf(pem: string): number | null {
  try {
    return Date.parse(new X509Certificate(pem).validTo) / 1_000;
  } catch {
    return null;
  }
}

/** Reports when the certificates (PEM) that this process has loaded expire. A renewed file counts after a restart. */
export function reportCertificates(metrics: Pick<Metrics, 'set'>, purpose: CertificatePurpose, pem: string): void {
  const time = earliestExpiry(pem);
  if (time !== null) metrics.set('ponte_certificate_expires_at_seconds', time, { purpose });
}
