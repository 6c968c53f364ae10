import { createHash, generateKeyPairSync, randomUUID, sign } from 'node:crypto';

const LIFETIME_SECONDS = 30;

/** The key pair of a partner that signs its requests (ES256), implemented without our code. */
export class SigningKey {
  private readonly pair = generateKeyPairSync('ec', { namedCurve: 'P-256' });

  get publicKey(): string {
    return this.pair.publicKey.export({ type: 'spki', format: 'pem' }).toString();
  }

  /** A token for one request. */
  token(keyId: string, uri: string, body: string, nonce = randomUUID()): string {
    const iat = Math.floor(Date.now() / 1000);
    const claims = {
      sub: keyId,
      uri,
      nonce,
      iat,
      exp: iat + LIFETIME_SECONDS,
      'body-hash': createHash('sha256').update(body).digest('hex'),
    };
    const text = [{ alg: 'ES256', typ: 'JWT' }, claims]
      .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
      .join('.');
    const signature = sign('sha256', Buffer.from(text), { key: this.pair.privateKey, dsaEncoding: 'ieee-p1363' });
    return `${text}.${signature.toString('base64url')}`;
  }
}
