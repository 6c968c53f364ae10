import type { IncomingMessage, RequestListener, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { PIECE_BYTES } from '../bodies/in-pieces';
import type { ConnectionLimits } from '../server/limits';
import { CONNECTION_LIMITS } from '../server/limits';

/** Connections are closed until this share of the allowed bytes is left, so that not every check has to close some. */
const KEPT_SHARE = 0.5;
/** Less than two hundred requests fit into this, however short they are. */
const SLICE_BYTES = 2_048;

export type CutReason = 'too-many' | 'pipelined' | 'write-stalled' | 'unread-bytes';

interface Watched {
  readonly responses: Set<ServerResponse>;
  /** Set when no further request of the connection is served. */
  closing: boolean;
  /** Requests that came after that. */
  dropped: number;
  /** Since when, and after how many bytes, it was last seen to make progress; null while nothing waits. */
  progress: { readonly at: number; readonly sent: number } | null;
}

/**
 * Bounds what callers can make the edge keep for them after a request: pipelined requests, responses that are not read,
 * connections that we have ended and the caller keeps open. Node bounds only what comes in, by its time-outs for
 * headers and requests.
 */
export class ConnectionGuard {
  private readonly watched = new Map<Socket, Watched>();
  private readonly byAddress = new Map<string, number>();

  /**
   * `now` in milliseconds. `isProxy` tells which addresses speak for many callers, and may have any number of
   * connections.
   */
  constructor(
    readonly limits: ConnectionLimits = CONNECTION_LIMITS,
    private readonly isProxy: (address: string) => boolean = () => false,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /** Called for each connection that is closed before its time. */
  onCut: (reason: CutReason) => void = () => undefined;

  /** Watches the connections of a server. */
  watch(server: Server): void {
    server.on('connection', (socket: Socket) => this.add(socket));
  }

  /** Serves the requests that may be served, and drops the others. */
  listener(serve: RequestListener): RequestListener {
    return (request, response) => {
      if (this.mayServe(request, response)) serve(request, response);
    };
  }

  /**
   * True when the request may be served. Of too many pipelined requests the first ones are answered, the last of these
   * with `Connection: close`; the others are dropped, as RFC 9112 (section 9.3.2) allows. When as many again are
   * dropped, the connection is reset.
   */
  private mayServe({ socket }: IncomingMessage, response: ServerResponse): boolean {
    // A request that is injected by a test has no connection.
    const watched = this.watched.get(socket);
    if (!watched) return true;
    if (watched.closing) {
      watched.dropped += 1;
      // As many again are an attack, and each costs as much to parse as one that is served.
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
   * To be called every `checkEveryMs`. Closes connections that make no progress, and those that keep most, while all
   * together keep too much.
   */
  check(): void {
    const now = this.now();
    let unread = 0;
    const keeping: { socket: Socket; bytes: number }[] = [];
    for (const [socket, watched] of this.watched) {
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
    this.watched.set(socket, watched);
    socket.once('close', () => {
      this.watched.delete(socket);
      const left = (this.byAddress.get(address) ?? 1) - 1;
      if (left === 0) this.byAddress.delete(address);
      else this.byAddress.set(address, left);
    });
    readInSlices(socket, () => watched.closing);
  }

  private hasStalled(socket: Socket, watched: Watched, now: number): boolean {
    // An ended connection is one that the caller has to close: it keeps a descriptor of ours until then.
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
    // Closing alone would leave what was written to the kernel, for as long as the caller takes to read it.
    socket.resetAndDestroy();
  }
}

/**
 * Bytes of the writes that the kernel has taken whole. Of a write under way nothing counts, so large responses are
 * written in pieces.
 */
const sentBytes = (socket: Socket): number => socket.bytesWritten - socket.writableLength;

/** Bytes of the responses of a connection that were handed over and not read. */
function unreadBytes(socket: Socket, { responses }: Watched): number {
  if (responses.size === 0) return socket.writableLength;
  let bytes = 0;
  // The first response counts what its socket holds; those that wait behind it have no socket yet.
  for (const response of responses) bytes += response.writableLength;
  return Math.max(bytes, socket.writableLength);
}

/**
 * Lets the HTTP parser take what one read brings, up to 64 KiB, in slices, and stops between two of them when no
 * further request of the connection is to be served. Node's parser alone takes a thousand requests before anything can
 * stop it.
 *
 * It costs 4 to 6 microseconds of CPU per request, of 33 that a bare route takes: Node's parser no longer reads from
 * the socket by itself as soon as another listener for data is there.
 *
 * To be called when the connection has come, after the HTTP server has set its own listener for data.
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
      // The server stops reading while too much waits to be written. What is left comes again when it goes on.
      if (socket.isPaused()) {
        socket.unshift(chunk.subarray(at));
        return;
      }
      parse.call(socket, chunk.subarray(at, at + SLICE_BYTES));
    }
  });
}
