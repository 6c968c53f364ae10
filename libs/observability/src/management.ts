import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { Metrics } from './metrics';
import type { ManagementDocument, ManagementDocuments } from './observability';
import type { Readiness } from './readiness';

export interface Management {
  /** The port in use, even if port 0 was requested. */
  readonly port: number;
  close(): Promise<void>;
}

interface ManagementOptions {
  readonly port: number;
  readonly host: string;
  readonly readiness: Readiness;
  readonly metrics: Metrics;
  readonly documents?: ManagementDocuments;
}

/**
 * Requests are small and come from a few known clients. Slower clients are disconnected after this many milliseconds.
 */
const REQUEST_MS = 5_000;
const MAX_HEADER_BYTES = 8_192;
/** The paths of every process. */
const PATHS = ['/health/live', '/health/ready', '/metrics'];

/**
 * Serves health and metrics on a separate port that partners cannot reach: GET /health/live (the event loop runs), GET
 * /health/ready (the process accepts work), GET /metrics, and the given documents. Requests are not authenticated, and
 * responses contain no data of persons, accounts or single customers.
 */
export async function startManagement({
  port,
  host,
  readiness,
  metrics,
  documents = new Map(),
}: ManagementOptions): Promise<Management> {
  metrics.collectProcess();
  metrics.measure('ponte_ready', async () => [{ value: (await readiness.notReadyReason()) === undefined ? 1 : 0 }]);
  const server = createServer(
    { requestTimeout: REQUEST_MS, headersTimeout: REQUEST_MS, maxHeaderSize: MAX_HEADER_BYTES },
    (request, response) => {
      answer(request, { readiness, metrics, documents }).then(
        (given) => end(response, given),
        () => end(response, { status: 500, text: 'failed\n' }),
      );
    },
  );
  await listening(server, port, host);
  const address = server.address();
  return {
    port: typeof address === 'object' && address ? address.port : port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

type Served = Required<Pick<ManagementOptions, 'readiness' | 'metrics' | 'documents'>>;
interface Answer {
  readonly status: number;
  readonly text: string | Buffer;
  readonly type?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

async function answer(
  { method, url = '' }: IncomingMessage,
  { readiness, metrics, documents }: Served,
): Promise<Answer> {
  if (method !== 'GET' && method !== 'HEAD') return { status: 405, text: 'only GET is supported\n' };
  const path = url.split('?')[0] ?? '';
  const document = documents.get(path);
  if (document) return found(await document());
  switch (path) {
    case '/health/live':
      return { status: 200, text: 'live\n' };
    case '/health/ready': {
      const reason = await readiness.notReadyReason();
      return reason === undefined ? { status: 200, text: 'ready\n' } : { status: 503, text: `${reason}\n` };
    }
    case '/metrics':
      return { status: 200, text: await metrics.registry.metrics(), type: metrics.registry.contentType };
    default:
      return {
        status: 404,
        text: `not found; use one of: ${[...PATHS, ...documents.keys()].join(', ')}\n`,
      };
  }
}

const found = (document: string | ManagementDocument): Answer =>
  typeof document === 'string'
    ? { status: 200, text: document, type: 'application/json; charset=utf-8' }
    : { status: 200, text: document.body, type: document.type, headers: document.headers ?? {} };

function end(
  response: ServerResponse,
  { status, text, type = 'text/plain; charset=utf-8', headers = {} }: Answer,
): void {
  response
    .writeHead(status, {
      'content-type': type,
      'cache-control': 'no-store',
      'x-content-type-options': 'nosniff',
      ...headers,
    })
    .end(response.req.method === 'HEAD' ? undefined : text);
}

function listening(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error: NodeJS.ErrnoException) =>
      reject(new Error(`MANAGEMENT_PORT: ${host}:${port} cannot be opened (${error.code ?? error.name})`)),
    );
    server.listen(port, host, resolve);
  });
}
