/** Requests in the first second after an outage. */
export const FIRST_SECOND = 10;
/**
 * The number of seconds with a limited rate. The last one already allows more requests than an endpoint can be sent.
 */
export const RAMP_SECONDS = 6;
const SECOND_MS = 1_000;

/**
 * Limits the request rate to an endpoint after an outage: {@link FIRST_SECOND} requests in the first second, and twice
 * as many in each following second. A receiver that has just recovered therefore does not get its whole backlog at
 * once, however fast it responds. Times are business time in milliseconds.
 */
export class Ramp {
  /** When the endpoint recovered; undefined before the first outage and during one. */
  private beganAt: number | undefined;
  private isOut = false;
  private second = 0;
  private started = 0;

  /** Call when the receiver is failing and its limit is down to one request at a time. */
  outage(): void {
    this.isOut = true;
    this.beganAt = undefined;
  }

  /** Call when the receiver has accepted a request. */
  wentWell(nowMs: number): void {
    if (!this.isOut) return;
    this.isOut = false;
    this.beganAt = nowMs;
    this.second = 0;
    this.started = 0;
  }

  isOver(nowMs: number): boolean {
    return !this.isOut && (this.beganAt === undefined || nowMs - this.beganAt >= RAMP_SECONDS * SECOND_MS);
  }

  /** Whether another request may be sent now. */
  mayStart(nowMs: number): boolean {
    if (this.beganAt === undefined || this.isOver(nowMs)) return true;
    const second = Math.max(0, Math.floor((nowMs - this.beganAt) / SECOND_MS));
    if (second !== this.second) this.started = 0;
    this.second = second;
    return this.started < FIRST_SECOND * 2 ** second;
  }

  /** Counts a request in the second of the last {@link mayStart} call. */
  start(): void {
    this.started += 1;
  }
}
