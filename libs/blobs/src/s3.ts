import type { PersonalData, BlobMeta, BlobPage, Blobs, StoredBlob } from '@ponte/event-sourcing';
import { readBody, Unavailable } from '@ponte/kernel';
import type { Dispatcher } from 'undici';
import { request } from 'undici';
import { BlobExists } from '@ponte/event-sourcing';
import { readListing } from './s3-listing';
import type { S3Credentials, S3Request } from './s3-signature';
import { signedHeaders } from './s3-signature';
import { blobSubject, checkBlobId, isBlobId, openBlob, sealBlob } from './sealed-blob';

export interface S3Options {
  /** Of the bucket, path style: `https://s3.sa-east-1.amazonaws.com/my-bucket` or a compatible store's. */
  readonly bucketUrl: string;
  readonly region: string;
  readonly credentials: S3Credentials;
  /** For one exchange. */
  readonly timeoutMs: number;
  /** System time, in milliseconds. */
  readonly now: () => number;
  /** Told why the store could not be asked, in words without address or key. */
  readonly warn: (reason: string) => void;
  readonly dispatcher?: Dispatcher;
}

interface Answer {
  readonly status: number;
  readonly body: Buffer;
}

/** An object holds at most what an upload does, with its frame. */
const MAX_OBJECT_BYTES = 16 * 2 ** 20;
const EMPTY = new Uint8Array();
/** The object is being written by someone else at this moment; one of the two wins. */
const CONFLICT = 409;
const EXISTS = 412;
const MAX_ATTEMPTS = 3;
/** In one answer; the most that S3 gives. */
const LIST_KEYS = 1_000;

/**
 * Blobs in a store that speaks S3, encrypted before they leave. The store has to know conditional writes
 * (`If-None-Match: *`), as AWS and MinIO do: without them the last of two writers of one id would win.
 */
export class S3Blobs implements Blobs {
  constructor(
    private readonly options: S3Options,
    private readonly personalData: PersonalData,
  ) {}

  async put(id: string, bytes: Uint8Array, meta: BlobMeta): Promise<void> {
    checkBlobId(id);
    const body = await sealBlob(this.personalData, id, bytes, meta);
    const status = await this.place(id, body);
    if (status === 200) return;
    const there = await this.get(id);
    if (there === undefined) throw new Unavailable('service-unavailable');
    if (!there.bytes.equals(bytes) || there.meta.contentType !== meta.contentType) throw new BlobExists();
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
    // In the order of the alphabet, as the signature wants them.
    const query = `${cursor === null ? '' : `continuation-token=${encodeURIComponent(cursor)}&`}list-type=2&max-keys=${LIST_KEYS}`;
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

  /** `path`: an id, or the query of the bucket itself. */
  private async send(
    method: S3Request['method'],
    path: string,
    headers: Readonly<Record<string, string>>,
    body: Uint8Array,
    expected: readonly number[],
  ): Promise<Answer> {
    const { bucketUrl, region, credentials, timeoutMs, now, dispatcher, warn } = this.options;
    const url = new URL(`${bucketUrl.replace(/\/$/, '')}${path.startsWith('?') ? '' : '/'}${path}`);
    const signed = signedHeaders({ method, url, headers, body }, region, credentials, now());
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
      // A store closes connections that lie idle, sometimes just as one is used again. Every exchange may be repeated:
      // a write is conditional.
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
