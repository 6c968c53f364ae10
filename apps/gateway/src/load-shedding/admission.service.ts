import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '@ponte/kernel';
import { SYSTEM_CLOCK } from '@ponte/nest';

/** The bounds of the number of partner requests that this process handles at once. */
const MAX_LIMIT = 1_024;
const MIN_LIMIT = 64;
/**
 * More than half of a request's deadline, in milliseconds. A response that takes this long shows that requests wait in
 * a queue that does not shrink. A request to a bank that times out takes less (5,000 by default), because it says
 * nothing about other requests.
 */
const SLOW_MS = 6_000;
/** A response within this many milliseconds shows that there is room for more requests. */
const QUICK_MS = 1_000;
/** The increase of the limit after a quick response, so that the limit recovers by doubling. */
const ROOM_PER_ANSWER = 0.5;
/** The responses of this many milliseconds are judged together. */
const WINDOW_MS = 1_000;
/**
 * The limit is lowered if at least this share of the responses of a window, and at least this many, were slow. If
 * requests wait in a queue, all of them are slow. A few slow ones wait for something else, for example a bank.
 */
const SLOW_SHARE = 0.5;
const SLOW_COUNT = 8;
/**
 * A key may hold at most as many slots as are free, and an address three times as many. One key alone gets half of the
 * slots and two keys get a third each, so there is always room for another key, even if many partners share one
 * address.
 */
const FREE_PER_ADDRESS = 3;

/** A request that takes a slot. */
interface SlotHolder {
  readonly keyId: string;
  readonly address: string;
  /** Whether the duration of the request changes the limit. */
  readonly learns: boolean;
}

/** The number of slots in use by name. */
class Shares {
  private readonly held = new Map<string, number>();

  of(name: string): number {
    return this.held.get(name) ?? 0;
  }

  change(name: string, by: number): void {
    const count = this.of(name) + by;
    if (count === 0) this.held.delete(name);
    else this.held.set(name, count);
  }
}

/**
 * Limits how many requests the gateway handles at once. Without a limit, an excess of requests (above all after an
 * outage) would make every request wait until its deadline, so all work would be in vain. Excess requests are refused
 * before any work is done for them. The limit follows the response times of the services: it is halved at most once a
 * second while most responses are slow, and rises with each quick one. A slot is held from the complete body until the
 * response is handed over, so slow senders and readers neither hold slots nor affect the limit.
 */
@Injectable()
export class Admission {
  private limit = MAX_LIMIT;
  private inside = 0;
  private window = { since: 0, slow: 0, all: 0 };
  private readonly keys = new Shares();
  private readonly addresses = new Shares();
  private readonly later: { readonly leave: () => void; readonly since: number; readonly ms: number }[] = [];

  constructor(@Inject(SYSTEM_CLOCK) private readonly clock: Clock) {}

  /** Whether a request from this address could be admitted at all. Takes no slot. */
  hasRoom(address: string): boolean {
    this.freeOverdue();
    const free = this.limit - this.inside;
    return free >= 1 && this.addresses.of(address) < free * FREE_PER_ADDRESS;
  }

  /**
   * Takes a slot. Returns undefined if there is no room, otherwise a function that gives the slot back; only its first
   * call counts.
   */
  enter({ keyId, address, learns }: SlotHolder): (() => void) | undefined {
    if (!this.hasRoom(address) || this.keys.of(keyId) >= this.limit - this.inside) return undefined;
    this.change(keyId, address, 1);
    const startedAt = this.clock.now();
    let left = false;
    return () => {
      if (left) return;
      left = true;
      this.change(keyId, address, -1);
      if (learns) this.learn(this.clock.now() - startedAt);
    };
  }

  /** Gives a slot back after this many milliseconds (the same for every call), unless it was given back before. */
  leaveLater(leave: () => void, ms: number): void {
    this.later.push({ leave, since: this.clock.now(), ms });
  }

  /** Runs when the next request comes, which is soon enough and needs no timer. */
  private freeOverdue(): void {
    const now = this.clock.now();
    for (let [first] = this.later; first; [first] = this.later) {
      // Also frees a slot when the clock is set back, because it would otherwise be held until the clock has caught up.
      if (now >= first.since && now - first.since < first.ms) return;
      this.later.shift();
      first.leave();
    }
  }

  private change(keyId: string, address: string, by: number): void {
    this.inside += by;
    this.keys.change(keyId, by);
    this.addresses.change(address, by);
  }

  private learn(tookMs: number): void {
    this.judgeWindow();
    this.window.all += 1;
    if (tookMs >= SLOW_MS) this.window.slow += 1;
    else if (tookMs <= QUICK_MS) this.limit = Math.min(MAX_LIMIT, this.limit + ROOM_PER_ANSWER);
  }

  /** Runs when the next response comes, which needs no timer. */
  private judgeWindow(): void {
    const { since, slow, all } = this.window;
    const now = this.clock.now();
    // A window ends too when the clock is set back, because it would otherwise last until the clock has caught up.
    if (now >= since && now - since < WINDOW_MS) return;
    this.window = { since: now, slow: 0, all: 0 };
    if (slow >= SLOW_COUNT && slow >= all * SLOW_SHARE) this.limit = Math.max(MIN_LIMIT, this.limit / 2);
  }
}

/** The work that remains for the requests of each connection. */
const open = new WeakMap<Socket, Set<() => void>>();

/**
 * Runs `work` once, when the response was sent or the caller disconnected. The response alone is not enough: of
 * pipelined requests, only the first response is notified that the connection broke, and the others would keep their
 * slots forever.
 */
export function whenOver(request: IncomingMessage, reply: ServerResponse, work: () => void): void {
  const { socket } = request;
  const works = open.get(socket) ?? watched(socket);
  const once = (): void => {
    if (works.delete(once)) work();
  };
  works.add(once);
  // `close` also follows `finish`.
  reply.on('close', once);
  if (socket.destroyed) once();
}

/** One listener per connection, however many requests it carries. */
function watched(socket: Socket): Set<() => void> {
  const works = new Set<() => void>();
  open.set(socket, works);
  socket.once('close', () => {
    for (const work of works) work();
  });
  return works;
}
