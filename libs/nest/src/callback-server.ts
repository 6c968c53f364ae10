import type { IncomingHttpHeaders, IncomingMessage, Server, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { ListenAddress } from '@ponte/kernel';
import { readBody } from '@ponte/kernel';

/** An authentic callback with an invalid body, which is not worth resending. The message does not quote the body. */
export class BadCallback extends Error {
  override readonly name = 'BadCallback';
}

interface CallbackRoute {
  /** For example `/callbacks/liveness/provider-1`. It may contain a secret, so it is not logged. */
  readonly path: string;
  /** The name in logs, for example `liveness/provider-1`. */
  readonly name: string;
  /** Why a request is not authentic, for example `unsigned`; null if it is. */
  refusal(headers: IncomingHttpHeaders, body: Uint8Array): string | null;
  /**
   * The callback is processed once this resolves. Throws {@link BadCallback}; after any other error the sender resends.
   */
  receive(body: unknown): Promise<void>;
}

interface CallbackServerOptions extends ListenAddress {
  readonly routes: readonly CallbackRoute[];
  /** The longest body, in bytes. */
  readonly bodyLimit: number;
  readonly warn: (facts: { readonly route: string; readonly reason: string }) => void;
  /** The longest time that a slow sender may hold a connection, in milliseconds. */
  readonly requestTimeoutMs?: number;
}

export interface CallbackServer {
  readonly port: number;
  /** Resolves when the callbacks in progress are processed. */
  close(): Promise<void>;
}

const REQUEST_TIMEOUT_MS = 10_000;
/**
 * The time that an idle connection stays open. An ingress keeps its connections for up to a minute and does not repeat
 * a POST on one that was closed meanwhile.
 */
const KEEP_ALIVE_MS = 72_000;
/**
 * A body that is too large is read and discarded up to this many times the limit, so that the sender gets a response.
 */
const DISCARDED = 15;

/**
 * The HTTP server for callbacks of vendors and banks, on its own port, so that only this port needs to be open to them.
 * Responds 204 for an accepted callback (including a repeated one), 401 if it is not authentic, 404, 405, 413, 422 for
 * an invalid body, and 503 if the sender should resend.
 */
export async function serveCallbacks(options: CallbackServerOptions): Promise<CallbackServer> {
  const routes = new Map(options.routes.map((route) => [route.path, route]));
  const requestTimeout = options.requestTimeoutMs ?? REQUEST_TIMEOUT_MS;
  /** The connections on which no complete request is being processed. */
  const unused = new Set<Socket>();
  const server = createServer(
    { requestTimeout, headersTimeout: requestTimeout, keepAliveTimeout: KEEP_ALIVE_MS },
    (request, response) => {
      const { socket } = request;
      request.once('end', () => unused.delete(socket));
      response.once('close', () => (socket.destroyed ? undefined : unused.add(socket)));
      const isStopping = (): boolean => !server.listening;
      void answer(routes, options, request).then(
        (status) => end(response, status, isStopping()),
        () => end(response, 400, isStopping()),
      );
    },
  );
  server.on('connection', (socket) => {
    unused.add(socket);
    socket.once('close', () => unused.delete(socket));
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(options.port, options.host, resolve);
  });
  return { port: (server.address() as AddressInfo).port, close: () => close(server, unused, requestTimeout) };
}

async function answer(
  routes: ReadonlyMap<string, CallbackRoute>,
  { bodyLimit, warn }: CallbackServerOptions,
  request: IncomingMessage,
): Promise<number> {
  const route = routes.get(request.url?.split('?', 1)[0] ?? '');
  if (!route) return 404;
  if (request.method !== 'POST') return 405;
  const body = await readBody(request as AsyncIterable<Buffer>, bodyLimit, DISCARDED * bodyLimit);
  if (!body) return 413;
  const refused = (reason: string, status: number): number => {
    warn({ route: route.name, reason });
    return status;
  };
  const refusal = route.refusal(request.headers, body);
  if (refusal !== null) return refused(refusal, 401);
  try {
    await route.receive(parse(body));
    return 204;
  } catch (error) {
    if (error instanceof BadCallback) return refused(error.message, 422);
    return refused(error instanceof Error ? error.name : 'unknown', 503);
  }
}

function parse(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString('utf8'));
  } catch {
    throw new BadCallback('the body is not JSON');
  }
}

function end(response: ServerResponse, status: number, isStopping: boolean): void {
  const isLast = isStopping || status === 413 || status === 400;
  response
    .writeHead(status, {
      'cache-control': 'no-store',
      ...(status === 503 ? { 'retry-after': '5' } : {}),
      ...(isLast ? { connection: 'close' } : {}),
    })
    .end();
}

/**
 * Closes the server. A closing server of Node no longer enforces its time-outs, so connections without a complete
 * request are destroyed after `requestTimeout`.
 */
function close(server: Server, unused: ReadonlySet<Socket>, requestTimeout: number): Promise<void> {
  void pause(requestTimeout, undefined, { ref: false }).then(() => {
    for (const socket of unused) socket.destroy();
  });
  return new Promise((resolve, reject) => {
    server.close((error) => (error ? reject(error) : resolve()));
    server.closeIdleConnections();
  });
}
