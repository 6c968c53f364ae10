import { createHash, createHmac } from 'node:crypto';
import type { IncomingMessage } from 'node:http';

/** An error as KMS returns it: HTTP 400 (or 500) and the exception in `__type`. */
export class KmsFault extends Error {
  constructor(
    readonly type: string,
    readonly status = 400,
  ) {
    super(type);
  }
}

export const KMS_CREDENTIALS = { accessKeyId: 'AKIDEXAMPLE', secretAccessKey: 'example-secret' } as const;
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');
const hmac = (key: string | Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();

/** Computes the signature of the request (AWS Signature Version 4) and compares it. */
export function assertSigned({ headers, url = '/' }: IncomingMessage, body: string): void {
  const form =
    /^AWS4-HMAC-SHA256 Credential=([^/]+)\/(\d{8})\/([^/]+)\/kms\/aws4_request, ?SignedHeaders=([^,]+), ?Signature=(\w+)$/;
  const [, accessKeyId, day, region, names, signature] = form.exec(headers.authorization ?? '') ?? [];
  if (accessKeyId !== KMS_CREDENTIALS.accessKeyId || !day || !region || !names)
    throw new KmsFault('IncompleteSignatureException');
  const signed = names.split(';').map((name) => `${name}:${String(headers[name]).trim()}`);
  const canonical = ['POST', url, '', ...signed, '', names, sha256(body)].join('\n');
  const scope = `${day}/${region}/kms/aws4_request`;
  const key = ['kms', 'aws4_request'].reduce(hmac, hmac(hmac(`AWS4${KMS_CREDENTIALS.secretAccessKey}`, day), region));
  const text = ['AWS4-HMAC-SHA256', headers['x-amz-date'], scope, sha256(canonical)].join('\n');
  if (hmac(key, text).toString('hex') !== signature) throw new KmsFault('InvalidSignatureException');
}
