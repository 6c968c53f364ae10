import { createHash, createHmac } from 'node:crypto';

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

const sha256 = (content: string | Uint8Array): string => createHash('sha256').update(content).digest('hex');
const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text, 'utf8').digest();

/**
 * The headers of the request with its signature: AWS Signature Version 4 in the form for S3, which includes the hash of
 * the content. `nowMs` is system time.
 */
export function signedHeaders(
  { method, url, headers, body }: S3Request,
  region: string,
  { accessKeyId, secretAccessKey, sessionToken }: S3Credentials,
  nowMs: number,
): Record<string, string> {
  const time = new Date(nowMs).toISOString().replace(/[-:]|\.\d{3}/g, '');
  const contentHash = sha256(body);
  const all: Record<string, string> = {
    ...headers,
    host: url.host,
    'x-amz-date': time,
    'x-amz-content-sha256': contentHash,
    ...(sessionToken === null ? {} : { 'x-amz-security-token': sessionToken }),
  };
  const names = Object.keys(all).sort();
  const canonical = [
    method,
    url.pathname,
    url.search.slice(1),
    ...names.map((name) => `${name}:${(all[name] ?? '').trim()}`),
    '',
    names.join(';'),
    contentHash,
  ].join('\n');
  const scope = `${time.slice(0, 8)}/${region}/s3/aws4_request`;
  const key = ['s3', 'aws4_request'].reduce(hmac, hmac(hmac(`AWS4${secretAccessKey}`, time.slice(0, 8)), region));
  const signature = hmac(key, ['AWS4-HMAC-SHA256', time, scope, sha256(canonical)].join('\n')).toString('hex');
  return {
    ...all,
    authorization:
      `AWS4-HMAC-SHA256 Credential=${accessKeyId}/${scope},` +
      `SignedHeaders=${names.join(';')},Signature=${signature}`,
  };
}
