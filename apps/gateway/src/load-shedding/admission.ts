import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { Inject, Injectable } from '@nestjs/common';
import type { Clock } from '@ponte/kernel';
import { SYSTEM_CLOCK } from '@ponte/nest';

/** Requests of partners that this process carries out at once, at the most and at the least. */
const MOST = 1_024;
const LEAST = 8;
/**
 * Half of what a request may take: a request that takes longer than this waits in a queue that does not get shorter.
 * Milliseconds.
 */
const SLOW_MS = 5_000;
/** A response within this shows that there is room for more. */
const QUICK_MS = 1_000;
/** What a quick response adds, so that room comes back by doubling. */
const ROOM_PER_ANSWER = 0.5;
/** Requests that were slow together show one and the same queue, which is answered by one step down. */
const STEP_MS = 1_000;
/**
 * A key may hold at most as many slots as are free, an address three times as many. So one key alone gets half of the
 * slots, two get a third each, and there is always room for the next key, also where many partners come from one
 * address.
 */
const FREE_PER_ADDRESS = 3;

/** Who a slot is counted for. */
export interface SlotHolder {
  readonly keyId: string;
  readonly address: string;
}

/** Slots in use by name. */
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
 * How many requests the edge carries out at once. When more comes than the services carry out, every request would wait
 * until its deadline and the work would be in vain, above all after an outage. So what is too much is refused before
 * anything is done for it; how much that is shows in how long the services take. A slot is held from the complete body
 * until the response is handed over: the time of a slow sender or a slow reader is neither counted nor measured.
 */
@Injectable()
export class Admission {
  private limit = MOST;
  private inside = 0;
  private lowered = -Infinity;
  private readonly keys = new Shares();
  private readonly addresses = new Shares();
  private readonly later: { readonly leave: () => void; readonly at: number }[] = [];

  constructor(@Inject(SYSTEM_CLOCK) private readonly clock: Clock) {}

  /** False when a request from this address would be refused whatever its key. Takes no slot. */
  hasRoom(address: string): boolean {
    this.freeOverdue();
    const free = this.limit - this.inside;
    return free >= 1 && this.addresses.of(address) < free * FREE_PER_ADDRESS;
  }

  /**
   * Takes a slot. Undefined when there is no room; else gives the slot back when called, and only the first call
   * counts.
   */
  enter({ keyId, address }: SlotHolder): (() => void) | undefined {
    if (!this.hasRoom(address) || this.keys.of(keyId) >= this.limit - this.inside) return undefined;
    this.change(keyId, address, 1);
    const startedAt = this.clock.now();
    let left = false;
    return () => {
      if (left) return;
      left = true;
      this.change(keyId, address, -1);
      this.learn(this.clock.now() - startedAt);
    };
  }

  /** Gives a slot back after so many milliseconds, the same for every call, unless it was given back before. */
  leaveLater(leave: () => void, ms: number): void {
    this.later.push({ leave, at: this.clock.now() + ms });
  }

  /** Looked at when the next request comes, which is soon enough and needs no timer. */
  private freeOverdue(): void {
    while (this.later.length > 0 && (this.later[0]?.at ?? 0) <= this.clock.now()) this.later.shift()?.leave();
  }

  private change(keyId: string, address: string, by: number): void {
    this.inside += by;
    this.keys.change(keyId, by);
    this.addresses.change(address, by);
  }

  private learn(tookMs: number): void {
    if (tookMs >= SLOW_MS) this.lower();
    else if (tookMs <= QUICK_MS) this.limit = Math.min(MOST, this.limit + ROOM_PER_ANSWER);
  }

  private lower(): void {
    if (this.clock.now() - this.lowered < STEP_MS) return;
    this.lowered = this.clock.now();
    // One key alone fills half of the limit: the step goes by the limit that what is inside fills, or it would go down
    // twice.
    this.limit = Math.max(LEAST, Math.min(this.limit, (this.inside + 1) * 2) / 2);
  }
}

/** What is still to be done for the requests of each connection. */
const open = new WeakMap<Socket, Set<() => void>>();

/**
 * Runs `work` once, when the response was sent or the caller disconnected. Not left to the answer alone: of requests
 * that were sent behind one another on a connection, only the first response learns that the connection broke, and the
 * others would keep what they hold for ever.
 */
export function whenOver(request: IncomingMessage, reply: ServerResponse, work: () => void): void {
  const { socket } = request;
  const works = open.get(socket) ?? watched(socket);
  const once = (): void => {
    if (works.delete(once)) work();
  };
  works.add(once);
  // Also follows what was finished.
  reply.on('close', once);
  if (socket.destroyed) once();
}

/** One listener a connection, however many requests it carries. */
function watched(socket: Socket): Set<() => void> {
  const works = new Set<() => void>();
  open.set(socket, works);
  socket.once('close', () => {
    for (const work of works) work();
  });
  return works;
}
