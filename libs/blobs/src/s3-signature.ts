import { createHash, createHmac } from 'node:crypto';
import { SignatureV4 } from '@smithy/signature-v4';

export interface S3Credentials {
  readonly accessKeyId: string;
  readonly secretAccessKey: string;
  /** For temporary credentials; null for a permanent key. */
  readonly sessionToken: string | null;
}

export interface S3Request {
  readonly method: 'GET' | 'PUT' | 'DELETE';
  readonly url: URL;
  /** Names in lower case. `host` and the `x-amz-…` headers needed for the signature are added. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
}

type Data = string | NodeJS.ArrayBufferView;

/** SHA-256, and HMAC with a secret, as the signer expects them. */
class Sha256 {
  private readonly hash;

  constructor(secret?: unknown) {
    this.hash = secret === undefined ? createHash('sha256') : createHmac('sha256', secret as Data);
  }

  update(content: unknown): void {
    this.hash.update(content as Data);
  }

  async digest(): Promise<Uint8Array> {
    return this.hash.digest();
  }

  reset(): void {
    throw new Error('a hash is used once');
  }
}

/** Signs requests to S3 with AWS Signature Version 4. */
export function s3Signer(region: string, { sessionToken, ...keys }: S3Credentials) {
  const credentials = { ...keys, ...(sessionToken === null ? {} : { sessionToken }) };
  const signer = new SignatureV4({ service: 's3', region, credentials, sha256: Sha256, uriEscapePath: false });
  /** Returns the headers of the request with its signature. `nowMs` is system time. */
  return async ({ method, url, headers, body }: S3Request, nowMs: number): Promise<Record<string, string>> => {
    const { protocol, hostname, pathname: path, searchParams, host } = url;
    const query = Object.fromEntries(searchParams);
    const request = { method, protocol, hostname, path, query, headers: { ...headers, host }, body };
    return (await signer.sign(request, { signingDate: new Date(nowMs) })).headers;
  };
}
