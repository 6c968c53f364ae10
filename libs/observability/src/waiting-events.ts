/** A shorter pause in which a consumer finishes nothing does not count. */
const STUCK_FROM_MS = 5_000;
/** An event that failed is tried again within 5 s. If it is not, it was parked or another process has it. */
const TRIED_AGAIN_MS = 15_000;

/**
 * The events that a consumer has begun and not finished. They show that it is stuck even if it never finishes any,
 * which the delay of finished events cannot show. Times are monotonic, in milliseconds.
 */
export class WaitingEvents {
  private readonly events = new Map<string, { readonly since: number; until: number }>();
  private finishedAt = -Infinity;

  /** An attempt at an event begins. */
  begin(id: string, now: number): void {
    const known = this.events.get(id);
    if (known) known.until = Infinity;
    else this.events.set(id, { since: now, until: Infinity });
  }

  failed(id: string, now: number): void {
    const known = this.events.get(id);
    if (known) known.until = now + TRIED_AGAIN_MS;
  }

  done(id: string, now: number): void {
    this.events.delete(id);
    this.finishedAt = now;
  }

  /** How long the consumer has finished nothing while events waited. */
  stuckMs(now: number): number {
    let since = Infinity;
    for (const [id, event] of this.events) {
      if (event.until <= now) this.events.delete(id);
      else since = Math.min(since, event.since);
    }
    const stuck = now - Math.max(since, this.finishedAt);
    return stuck > STUCK_FROM_MS ? stuck : 0;
  }
}
