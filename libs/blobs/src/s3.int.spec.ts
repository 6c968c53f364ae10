import type { Server } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { SqlitePersonalData } from '@ponte/eventstore-sqlite';
import { openSqlitePersonalData } from '@ponte/eventstore-sqlite';
import { temporaryFolder } from '@ponte/testing';
import { Agent } from 'undici';
import { BlobDamaged } from '@ponte/event-sourcing';
import { blobsContract } from './blobs.contract';
import { S3Blobs } from './s3';
import { readListing } from './s3-listing';
import { signedHeaders } from './s3-signature';

const NOW = Date.UTC(2026, 2, 1, 12);
const CREDENTIALS = { accessKeyId: 'AKIDSANDBOX', secretAccessKey: 'secret of the store', sessionToken: null };
const META = { contentType: 'image/png' };

describe("the signature, against the examples of S3's documentation", () => {
  const EXAMPLE = {
    accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
    secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
    sessionToken: null,
  };
  const sign = (method: 'GET' | 'PUT', url: string, headers: Record<string, string>, body = '') =>
    signedHeaders(
      { method, url: new URL(url), headers, body: Buffer.from(body) },
      'us-east-1',
      EXAMPLE,
      Date.UTC(2013, 4, 24),
    )['authorization'];

  it.each([
    [
      'reading an object',
      sign('GET', 'https://examplebucket.s3.amazonaws.com/test.txt', { range: 'bytes=0-9' }),
      'f0e8bdb87c964420e857bd35b5d6ed310bd44f0170aba48dd91039c6036bdb41',
    ],
    [
      'writing one',
      sign(
        'PUT',
        'https://examplebucket.s3.amazonaws.com/test%24file.text',
        { date: 'Fri, 24 May 2013 00:00:00 GMT', 'x-amz-storage-class': 'REDUCED_REDUNDANCY' },
        'Welcome to Amazon S3.',
      ),
      '98ad721746da40c64f1a55b78f14c238d841ea1380cd77a1b5971af0ece108bd',
    ],
    [
      'a query',
      sign('GET', 'https://examplebucket.s3.amazonaws.com/?max-keys=2&prefix=J', {}),
      '34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7',
    ],
  ])('%s', (_, authorization, signature) => {
    expect(authorization).toContain(`Signature=${signature}`);
  });

  it('of temporary credentials covers their token', () => {
    const headers = signedHeaders(
      { method: 'GET', url: new URL('https://s3.example/b/x'), headers: {}, body: Buffer.alloc(0) },
      'sa-east-1',
      { ...EXAMPLE, sessionToken: 'token' },
      NOW,
    );
    expect(headers).toMatchObject({
      'x-amz-security-token': 'token',
      authorization: expect.stringContaining(
        'SignedHeaders=host;x-amz-content-sha256;x-amz-date;x-amz-security-token,',
      ),
    });
  });
});

/** A store that does what S3 does with one bucket, and checks every signature by signing for itself. */
class BucketServer {
  readonly objects = new Map<string, Buffer>();
  misbehave: (method: string) => number | 'cut' | undefined = () => undefined;
  private constructor(private readonly server: Server) {}

  static async start(): Promise<BucketServer> {
    const server = createServer((request, response) => {
      const parts: Buffer[] = [];
      request.on('data', (part: Buffer) => parts.push(part));
      request.on('end', () => {
        const method = request.method ?? '';
        const fault = bucket.misbehave(method);
        if (fault === 'cut') return void response.destroy();
        const [status, body] =
          fault === undefined
            ? bucket.answer(method, request.url ?? '', request.headers, Buffer.concat(parts))
            : [fault, Buffer.alloc(0)];
        response.writeHead(status, { 'content-length': body.length }).end(body);
      });
    });
    const bucket = new BucketServer(server);
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    return bucket;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/bucket`;
  }

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => {
      this.server.close(resolve);
    });
  }

  private answer(
    method: string,
    path: string,
    headers: NodeJS.Dict<string | string[]>,
    body: Buffer,
  ): [number, Buffer] {
    const named = /SignedHeaders=([^,]+)/.exec(String(headers['authorization']))?.[1]?.split(';') ?? [];
    const given = Object.fromEntries(
      named
        .filter((name) => name !== 'host' && !name.startsWith('x-amz-'))
        .map((name) => [name, String(headers[name])]),
    );
    const right = signedHeaders(
      { method: method as 'GET', url: new URL(path, this.url), headers: given, body },
      'sa-east-1',
      CREDENTIALS,
      NOW,
    );
    if (right['authorization'] !== headers['authorization']) return [403, Buffer.from('SignatureDoesNotMatch')];
    switch (method) {
      case 'PUT':
        if (headers['if-none-match'] === '*' && this.objects.has(path)) return [412, Buffer.alloc(0)];
        this.objects.set(path, body);
        return [200, Buffer.alloc(0)];
      case 'GET':
        return path.startsWith('/bucket?')
          ? [200, this.listing(new URL(path, this.url).searchParams)]
          : this.objects.has(path)
            ? [200, this.objects.get(path) as Buffer]
            : [404, Buffer.from('NoSuchKey')];
      case 'DELETE':
        this.objects.delete(path);
        return [204, Buffer.alloc(0)];
      default:
        return [405, Buffer.alloc(0)];
    }
  }

  /** ListObjectsV2, two keys to a page. */
  private listing(query: URLSearchParams): Buffer {
    const after = Buffer.from(query.get('continuation-token') ?? '', 'base64').toString();
    const keys = [...this.objects.keys(), '/bucket/another-owners/report.pdf']
      .map((path) => path.replace('/bucket/', ''))
      .sort()
      .filter((key) => key > after);
    const [page, isTruncated] = [keys.slice(0, 2), keys.length > 2];
    const contents = page
      .map(
        (key) =>
          `<Contents><Key>${key}</Key><LastModified>${new Date(NOW).toISOString()}</LastModified><Size>1</Size></Contents>`,
      )
      .join('');
    const token = isTruncated
      ? `<NextContinuationToken>${Buffer.from(page[1] ?? '').toString('base64')}</NextContinuationToken>`
      : '';
    return Buffer.from(
      `<?xml version="1.0"?><ListBucketResult xmlns="http://s3.amazonaws.com/doc/2006-03-01/"><Name>bucket</Name><IsTruncated>${isTruncated}</IsTruncated>${contents}${token}</ListBucketResult>`,
    );
  }
}

let folder: ReturnType<typeof temporaryFolder>;
let personalData: SqlitePersonalData;
let bucket: BucketServer;
let warnings: string[] = [];
const agent = new Agent();
beforeAll(async () => {
  folder = temporaryFolder();
  personalData = openSqlitePersonalData({ directory: folder.path });
  bucket = await BucketServer.start();
});
afterAll(async () => {
  await agent.destroy();
  await bucket.stop();
  await personalData.close();
  folder.remove();
});
beforeEach(() => {
  warnings = [];
  bucket.misbehave = () => undefined;
});

const open = async (credentials = CREDENTIALS): Promise<S3Blobs> =>
  new S3Blobs(
    {
      bucketUrl: `${bucket.url}/`,
      region: 'sa-east-1',
      credentials,
      timeoutMs: 5_000,
      now: () => NOW,
      warn: (reason) => {
        warnings.push(reason);
      },
      dispatcher: agent,
    },
    personalData,
  );

blobsContract('a bucket', {
  open: () => open(),
  reopen: () => open(),
  everything: async () => [...bucket.objects.values()],
});

describe('the bucket', () => {
  it.each<[string, number | 'cut']>([
    ['500', 500],
    ['503', 503],
    ['403', 403],
    ['a redirect', 307],
    ['a cut connection', 'cut'],
  ])('%s is "not now", never "not there"', async (_, fault) => {
    const blobs = await open();
    bucket.misbehave = () => fault;
    for (const act of [
      () => blobs.put('ev_FAULT', Buffer.alloc(1), META),
      () => blobs.get('ev_FAULT'),
      () => blobs.delete('ev_FAULTY'),
    ])
      await expect(act()).rejects.toMatchObject({ name: 'Unavailable' });
    expect(warnings).toHaveLength(3);
    expect(warnings.join('')).not.toMatch(/127\.0\.0\.1|secret/);
  });

  it('a listing skips foreign objects, and a malformed listing is unavailable or an error, never empty', async () => {
    const blobs = await open();
    await blobs.put('ev_LISTED', Buffer.from('x'), META);
    await expect(blobs.list({ beforeMs: NOW, cursor: null })).resolves.toMatchObject({ ids: [] });
    expect(readListing('<ListBucketResult/>')).toEqual({ objects: [], next: null });
    expect(readListing('<ListBucketResult><Contents><Key>ev_1</Key></Contents></ListBucketResult>')).toEqual({
      objects: [{ key: 'ev_1', modifiedMs: Infinity }],
      next: null,
    });
    expect(() => readListing('<html>login</html>')).toThrow(TypeError);
    bucket.misbehave = () => 503;
    await expect(blobs.list({ beforeMs: NOW + 1, cursor: null })).rejects.toMatchObject({ name: 'Unavailable' });
  });

  it('a connection that the store closed just as it was used again is opened again, once', async () => {
    const blobs = await open();
    await blobs.put('ev_IDLE', Buffer.from('x'), META);
    for (const act of [
      () => blobs.get('ev_IDLE'),
      () => blobs.put('ev_IDLE', Buffer.from('x'), META),
      () => blobs.delete('ev_IDLE'),
    ]) {
      let cuts = 1;
      bucket.misbehave = () => ((cuts -= 1) >= 0 ? 'cut' : undefined);
      await act();
    }
    expect(warnings).toEqual([]);
  });

  it('two writers at one moment: asks again', async () => {
    const blobs = await open();
    let conflicts = 2;
    bucket.misbehave = (method) => (method === 'PUT' && (conflicts -= 1) >= 0 ? 409 : undefined);
    await blobs.put('ev_CONFLICT', Buffer.from('x'), META);
    expect((await blobs.get('ev_CONFLICT'))?.bytes.toString()).toBe('x');
  });

  it('a put whose reply was lost is the same put again', async () => {
    const blobs = await open();
    await blobs.put('ev_LOST', Buffer.from('x'), META);
    bucket.misbehave = (method) => (method === 'PUT' ? 'cut' : undefined);
    await expect(blobs.put('ev_LOST', Buffer.from('x'), META)).rejects.toMatchObject({ name: 'Unavailable' });
    bucket.misbehave = () => undefined;
    await blobs.put('ev_LOST', Buffer.from('x'), META);
  });

  it('what the store changed is noticed, and another key is refused', async () => {
    const blobs = await open();
    await blobs.put('ev_CHANGED', Buffer.from('x'), META);
    const [path, whole] = [...bucket.objects].find(([key]) => key.endsWith('ev_CHANGED')) as [string, Buffer];
    bucket.objects.set(path, whole.subarray(0, -1));
    await expect(blobs.get('ev_CHANGED')).rejects.toThrow(BlobDamaged);
    await expect((await open({ ...CREDENTIALS, secretAccessKey: 'another' })).get('ev_CHANGED')).rejects.toMatchObject({
      name: 'Unavailable',
    });
  });
});
