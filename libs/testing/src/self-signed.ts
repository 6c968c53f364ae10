import { generateKeyPairSync } from 'node:crypto';
import forge from 'node-forge';

const RSA_BITS = 2_048;
const DAY_MS = 86_400_000;
/** The type of an alternative name, RFC 5280 section 4.2.1.6. */
const DNS_NAME = 2;

/** A key and a self-signed certificate for `localhost`, valid for a day; PEM. */
export function selfSigned(now = Date.now()): { readonly key: string; readonly certificate: string } {
  const { publicKey, privateKey } = generateKeyPairSync('rsa', {
    modulusLength: RSA_BITS,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  const certificate = forge.pki.createCertificate();
  certificate.publicKey = forge.pki.publicKeyFromPem(publicKey);
  // Random, to distinguish certificates; the first hex digit keeps the number positive.
  certificate.serialNumber = `1${forge.util.bytesToHex(forge.random.getBytesSync(16))}`;
  certificate.validity.notBefore = new Date(now - DAY_MS);
  certificate.validity.notAfter = new Date(now + DAY_MS);
  const name = [{ name: 'commonName', value: 'localhost' }];
  certificate.setSubject(name);
  certificate.setIssuer(name);
  certificate.setExtensions([
    { name: 'basicConstraints', cA: true },
    { name: 'subjectAltName', altNames: [{ type: DNS_NAME, value: 'localhost' }] },
  ]);
  certificate.sign(forge.pki.privateKeyFromPem(privateKey), forge.md.sha256.create());
  return { key: privateKey, certificate: forge.pki.certificateToPem(certificate) };
}
