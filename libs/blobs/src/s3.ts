import type { PersonalData, BlobMeta, BlobPage, Blobs, StoredBlob } from '@ponte/event-sourcing';
import { readBody, Unavailable } from '@ponte/kernel';
import type { Dispatcher } from 'undici';
import { request } from 'undici';
import { BlobExists } from '@ponte/event-sourcing';
import { readListing } from './s3-listing';
import type { S3Credentials, S3Request } from './s3-signature';
import { s3Signer } from './s3-signature';
import { blobSubject, checkBlobId, isBlobId, openBlob, sealBlob } from './sealed-blob';

export interface S3Options {
  /** URL of the bucket in path style: `https://s3.sa-east-1.amazonaws.com/my-bucket`, or a compatible store's. */
  readonly bucketUrl: string;
  readonly region: string;
  readonly credentials: S3Credentials;
  /** Time limit of one request, in milliseconds. */
  readonly timeoutMs: number;
  /** System time, in milliseconds. */
  readonly now: () => number;
  /** Called with the reason when a request failed. It contains no address and no key. */
  readonly warn: (reason: string) => void;
  readonly dispatcher?: Dispatcher;
}

interface Answer {
  readonly status: number;
  readonly body: Buffer;
}

/** An object is at most as large as an upload with its frame. */
const MAX_OBJECT_BYTES = 16 * 2 ** 20;
const EMPTY = new Uint8Array();
/** Another process is writing the object at this moment; one of the two succeeds. */
const CONFLICT = 409;
const EXISTS = 412;
const MAX_ATTEMPTS = 3;
/** The number of keys per response, which is the maximum of S3. */
const LIST_KEYS = 1_000;

/**
 * Blobs in an S3-compatible store, encrypted before they are sent. The store must support conditional writes
 * (`If-None-Match: *`), as AWS and MinIO do: otherwise the last of two writers of one id would win.
 */
export class S3Blobs implements Blobs {
  private readonly sign;

  constructor(
    private readonly options: S3Options,
    private readonly personalData: PersonalData,
  ) {
    this.sign = s3Signer(options.region, options.credentials);
  }

  async put(id: string, bytes: Uint8Array, meta: BlobMeta): Promise<void> {
    checkBlobId(id);
    const body = await sealBlob(this.personalData, id, bytes, meta);
    const status = await this.place(id, body);
    if (status === 200) return;
    const existing = await this.get(id);
    if (existing === undefined) throw new Unavailable('service-unavailable');
    if (!existing.bytes.equals(bytes) || existing.meta.contentType !== meta.contentType) throw new BlobExists();
  }

  async get(id: string): Promise<StoredBlob | undefined> {
    checkBlobId(id);
    const { status, body } = await this.send('GET', id, {}, EMPTY, [200, 404]);
    return status === 404 ? undefined : openBlob(this.personalData, id, body);
  }

  async delete(id: string): Promise<void> {
    checkBlobId(id);
    await this.personalData.erase(blobSubject(id));
    await this.send('DELETE', id, {}, EMPTY, [200, 204, 404]);
  }

  async list({ beforeMs, cursor }: { readonly beforeMs: number; readonly cursor: string | null }): Promise<BlobPage> {
    const after = cursor === null ? '' : `&continuation-token=${encodeURIComponent(cursor)}`;
    const query = `list-type=2&max-keys=${LIST_KEYS}${after}`;
    const { body } = await this.send('GET', `?${query}`, {}, EMPTY, [200]);
    const { objects, next } = readListing(body.toString('utf8'));
    return {
      ids: objects.filter(({ key, modifiedMs }) => isBlobId(key) && modifiedMs < beforeMs).map(({ key }) => key),
      next,
    };
  }

  private async place(id: string, body: Buffer): Promise<number> {
    for (let attempt = 1; ; attempt += 1) {
      const { status } = await this.send(
        'PUT',
        id,
        { 'if-none-match': '*', 'content-type': 'application/octet-stream' },
        body,
        [200, CONFLICT, EXISTS],
      );
      if (status !== CONFLICT || attempt === MAX_ATTEMPTS) return status;
    }
  }

  /** `path` is an id, or a query of the bucket itself. */
  private async send(
    method: S3Request['method'],
    path: string,
    headers: Readonly<Record<string, string>>,
    body: Uint8Array,
    expected: readonly number[],
  ): Promise<Answer> {
    const { bucketUrl, timeoutMs, now, dispatcher, warn } = this.options;
    const url = new URL(`${bucketUrl.replace(/\/$/, '')}${path.startsWith('?') ? '' : '/'}${path}`);
    const signed = await this.sign({ method, url, headers, body }, now());
    const ask = async (): Promise<Answer> => {
      const response = await request(url, {
        method,
        headers: signed,
        signal: AbortSignal.timeout(timeoutMs),
        ...(method === 'PUT' ? { body } : {}),
        ...(dispatcher ? { dispatcher } : {}),
      });
      return { status: response.statusCode, body: await contentOf(response.body as AsyncIterable<Buffer>) };
    };
    try {
      // A store closes idle connections, sometimes just when one is used again. Every request can be repeated, because
      // writes are conditional.
      const answer = await ask().catch((error: unknown) => (CLOSED.has(codeOf(error)) ? ask() : Promise.reject(error)));
      if (expected.includes(answer.status)) return answer;
      warn(`the blob store responded ${answer.status} to ${method}`);
    } catch (error) {
      warn(codeOf(error));
    }
    throw new Unavailable('service-unavailable');
  }
}

const CLOSED: ReadonlySet<string> = new Set(['UND_ERR_SOCKET', 'ECONNRESET', 'EPIPE']);

function codeOf(error: unknown): string {
  const { code, name } = error as NodeJS.ErrnoException;
  return String(code ?? name);
}

async function contentOf(body: AsyncIterable<Buffer>): Promise<Buffer> {
  const content = await readBody(body, MAX_OBJECT_BYTES);
  if (!content) throw new RangeError('the blob store returned more bytes than were ever stored');
  return content;
}
