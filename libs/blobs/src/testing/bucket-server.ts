import type { Server } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expectedHeaders } from './expected-signature';

export const NOW = Date.UTC(2026, 2, 1, 12);

export const CREDENTIALS = { accessKeyId: 'AKIDSANDBOX', secretAccessKey: 'secret of the store', sessionToken: null };

/** A server that acts like S3 with one bucket and verifies every signature by computing it. */
export class BucketServer {
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
    const right = expectedHeaders(
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

  /** ListObjectsV2 with two keys per page. */
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
