import { createHash } from 'node:crypto';
import type { LightMyRequestResponse } from 'fastify';
import type { Blobs } from '@ponte/event-sourcing';
import { BLOBS } from '@ponte/nest';
import { SAMPLE } from '../../samples';
import type { Json } from '../../onboarding/testing/onboarding-requests';
import { FILES, gateway, key, post } from '../../onboarding/testing/onboarding-requests';
import { encryptedPdf } from '../../../file-inspection/testing/pdf-files';

export const lockedPdf = encryptedPdf('secret');
export const png = Buffer.from(SAMPLE.qrCode, 'base64');

export const sha256 = createHash('sha256').update(png).digest('hex');

export const blobs = () => gateway.app.get<Blobs>(BLOBS);

export const idOf = (answer: LightMyRequestResponse) => (answer.json() as { file: { id: string } }).file.id;

export const json = (content: Buffer, headers: Json = {}) =>
  post(FILES, { 'content-base64': content.toString('base64'), purpose: 'document-front' }, headers);

export const part = (disposition: string, content: Buffer | string) =>
  Buffer.concat([
    Buffer.from(`--frontier\r\nContent-Disposition: form-data; ${disposition}\r\n\r\n`),
    Buffer.from(content),
    Buffer.from('\r\n'),
  ]);

export const file = (content: Buffer) =>
  part('name="file"; filename="Joana Lima.png"\r\nContent-Type: text/html', content);

export const purpose = part('name="purpose"', 'document-back');

export const form = (parts: Buffer[], headers: Json = {}, url = FILES) =>
  gateway.app.inject({
    method: 'POST',
    url,
    headers: { ...key, 'content-type': 'multipart/form-data; boundary=frontier', ...headers } as Record<string, string>,
    payload: Buffer.concat([...parts, Buffer.from('--frontier--\r\n')]),
  });
