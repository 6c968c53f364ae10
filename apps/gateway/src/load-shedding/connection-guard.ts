import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { PIECE_BYTES } from '../bodies/in-pieces';
import type { ConnectionLimits } from '../server/limits';
import { CONNECTION_LIMITS } from '../server/limits';

/** Too many unread bytes are reduced to this share of the limit, so that not every check has to cut connections. */
const KEPT_SHARE = 0.5;
/** Small enough that fewer than two hundred requests fit in, however short they are. */
const SLICE_BYTES = 2_048;

export type CutReason = 'too-many' | 'pipelined' | 'write-stalled' | 'unread-bytes';

interface Watched {
  /** The responses that have not been sent completely. */
  readonly responses: Set<ServerResponse>;
  /** Whether no further requests of the connection are served. */
  closing: boolean;
  /** The number of requests dropped since then. */
  dropped: number;
  /** When progress was last seen, and the bytes sent by then; null while nothing waits to be sent. */
  progress: { readonly at: number; readonly sent: number } | null;
}

/**
 * Limits what callers can make the gateway hold: pipelined requests, unread responses, and connections that we have
 * ended but the caller keeps open. Node itself limits only incoming data, by its time-outs for headers and requests.
 */
export class ConnectionGuard {
  readonly connections = new Map<Socket, Watched>();
  private readonly byAddress = new Map<string, number>();

  /**
   * `now` is in milliseconds. `isProxy` returns whether an address is a proxy, which sends requests of many callers and
   * may have any number of connections.
   */
  constructor(
    readonly limits: ConnectionLimits = CONNECTION_LIMITS,
    private readonly isProxy: (address: string) => boolean = () => false,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** Called for each connection that is cut. */
  onCut: (reason: CutReason) => void = () => undefined;

  watch(server: Server): void {
    server.on('connection', (socket: Socket) => this.add(socket));
  }

  /** Wraps a listener so that requests over the limit are dropped. */
  listener(serve: RequestListener): RequestListener {
    return (request, response) => {
      if (this.mayServe(request, response)) serve(request, response);
    };
  }

  /**
   * Whether the request may be served. Of too many pipelined requests the first ones are served, the last of these with
   * `Connection: close`, and the others are dropped, as RFC 9112 (section 9.3.2) allows. After as many dropped requests
   * again, the connection is reset.
   */
  private mayServe({ socket }: IncomingMessage, response: ServerResponse): boolean {
    // A request injected by a test has no connection.
    const watched = this.connections.get(socket);
    if (!watched) return true;
    if (watched.closing) {
      watched.dropped += 1;
      // This many dropped requests are an attack, and each costs as much to parse as one that is served.
      if (watched.dropped === this.limits.pipelined) socket.resetAndDestroy();
      return false;
    }
    watched.responses.add(response);
    response.once('close', () => watched.responses.delete(response));
    if (watched.responses.size >= this.limits.pipelined) {
      watched.closing = true;
      response.shouldKeepAlive = false;
      socket.pause();
      this.onCut('pipelined');
    }
    return true;
  }

  /**
   * Must be called every `checkEveryMs`. Cuts connections that make no progress and, while all connections together
   * hold too many unread bytes, those that hold the most.
   */
  check(): void {
    const now = this.now();
    let unread = 0;
    const keeping: { socket: Socket; bytes: number }[] = [];
    for (const [socket, watched] of this.connections) {
      if (this.hasStalled(socket, watched, now)) {
        this.cut(socket, 'write-stalled');
        continue;
      }
      const bytes = unreadBytes(socket, watched);
      if (bytes === 0) continue;
      unread += bytes;
      keeping.push({ socket, bytes });
    }
    if (unread > this.limits.unreadBytes) this.cutLargest(keeping, unread);
  }

  private cutLargest(keeping: { socket: Socket; bytes: number }[], unread: number): void {
    keeping.sort((one, other) => other.bytes - one.bytes);
    let left = unread;
    for (const { socket, bytes } of keeping) {
      if (left <= this.limits.unreadBytes * KEPT_SHARE) return;
      left -= bytes;
      this.cut(socket, 'unread-bytes');
    }
  }

  private add(socket: Socket): void {
    const address = socket.remoteAddress ?? '';
    const count = (this.byAddress.get(address) ?? 0) + 1;
    if (count > this.limits.perAddress && !this.isProxy(address)) {
      this.cut(socket, 'too-many');
      return;
    }
    const watched: Watched = { responses: new Set(), closing: false, dropped: 0, progress: null };
    this.byAddress.set(address, count);
    this.connections.set(socket, watched);
    socket.once('close', () => {
      this.connections.delete(socket);
      const left = (this.byAddress.get(address) ?? 1) - 1;
      if (left === 0) this.byAddress.delete(address);
      else this.byAddress.set(address, left);
    });
    readInSlices(socket, () => watched.closing);
  }

  private hasStalled(socket: Socket, watched: Watched, now: number): boolean {
    // The caller has to close an ended connection, which holds one of our file descriptors until then.
    if (socket.writableLength === 0 && !socket.writableEnded) {
      watched.progress = null;
      return false;
    }
    const sent = sentBytes(socket);
    const last = watched.progress;
    if (!last || sent - last.sent >= PIECE_BYTES) {
      watched.progress = { at: now, sent };
      return false;
    }
    return now - last.at >= this.limits.writeStallMs;
  }

  private cut(socket: Socket, reason: CutReason): void {
    this.onCut(reason);
    // Closing alone would leave the written data in the kernel until the caller has read it.
    socket.resetAndDestroy();
  }
}

/**
 * The bytes of writes that the kernel has accepted completely. A write in progress does not count, so large responses
 * are written in pieces.
 */
const sentBytes = (socket: Socket): number => socket.bytesWritten - socket.writableLength;

/** The bytes of a connection's responses that were handed over and not yet read. */
function unreadBytes(socket: Socket, { responses }: Watched): number {
  if (responses.size === 0) return socket.writableLength;
  let bytes = 0;
  // The first response includes what its socket holds; the responses behind it have no socket yet.
  for (const response of responses) bytes += response.writableLength;
  return Math.max(bytes, socket.writableLength);
}

/**
 * Passes what one read returns (up to 64 KiB) to the HTTP parser in slices, and stops between two of them if no further
 * request of the connection is to be served. Node's parser alone processes a thousand requests before anything can stop
 * it.
 *
 * It costs 4 to 6 microseconds of CPU per request, out of 33 for a bare route, because Node's parser stops reading
 * directly from the socket as soon as there is another listener for data.
 *
 * Must be called after the HTTP server has set its own listener for data on the connection.
 */
function readInSlices(socket: Socket, isOver: () => boolean): void {
  const [parse] = socket.listeners('data') as ((chunk: Buffer) => void)[];
  if (!parse) return;
  socket.off('data', parse);
  socket.on('data', (chunk: Buffer) => {
    if (chunk.length <= SLICE_BYTES) {
      if (!isOver()) parse.call(socket, chunk);
      return;
    }
    for (let at = 0; at < chunk.length && !isOver() && !socket.destroyed; at += SLICE_BYTES) {
      // The server pauses reading while too much waits to be written. The remaining data is read again when it resumes.
      if (socket.isPaused()) {
        socket.unshift(chunk.subarray(at));
        return;
      }
      parse.call(socket, chunk.subarray(at, at + SLICE_BYTES));
    }
  });
}
