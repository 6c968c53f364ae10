import { selfSigned } from '@ponte/testing';
import { earliestExpiry, reportCertificates } from './certificates';
import { Metrics } from './metrics';

const DAY_MS = 86_400_000;
const NOW = Date.UTC(2026, 10, 29, 21);
/** Certificates of `selfSigned` are valid for a day. */
const expiry = (at: number) => (at + DAY_MS) / 1_000;

describe('the expiry of certificates', () => {
  it('is the time at which the certificate becomes invalid', () => {
    expect(earliestExpiry(selfSigned(NOW).certificate)).toBe(expiry(NOW));
  });

  it('is the earliest of a bundle, whatever the order and the text in between', () => {
    const [sooner, later] = [selfSigned(NOW).certificate, selfSigned(NOW + 9 * DAY_MS).certificate];
    for (const bundle of [
      [sooner, later],
      [later, sooner],
    ])
      expect(earliestExpiry(`# Our CAs\r\n${bundle.join('\r\n# The next\r\n')}`)).toBe(expiry(NOW));
  });

  it('does not depend on the key, nor on a certificate that cannot be decoded', () => {
    const { key, certificate } = selfSigned(NOW);
    const broken = '-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n';
    expect(earliestExpiry(`${key}${broken}${certificate}`)).toBe(expiry(NOW));
    expect(earliestExpiry(broken)).toBeNull();
    expect(earliestExpiry('')).toBeNull();
  });

  it('is reported for each purpose, and not at all without a certificate', async () => {
    const metrics = new Metrics();
    reportCertificates(metrics, 'pix-bank', selfSigned(NOW).certificate);
    reportCertificates(metrics, 'kafka-ca', selfSigned(NOW + DAY_MS).certificate);
    reportCertificates(metrics, 'postgres-ca', 'no certificate');
    const metric = await metrics.registry.getSingleMetric('ponte_certificate_expires_at_seconds')?.get();
    expect(metric?.values.map(({ labels, value }) => [labels['purpose'], value])).toEqual([
      ['pix-bank', expiry(NOW)],
      ['kafka-ca', expiry(NOW + DAY_MS)],
    ]);
  });
});
