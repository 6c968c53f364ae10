/** Requests in the first second after an outage. */
export const FIRST_SECOND = 10;
/**
 * After this many seconds the rate is no longer limited: the last of them allows more than an endpoint can be
 * sent.
 */
export const RAMP_SECONDS = 6;
const SECOND_MS = 1_000;

/**
 * How fast an endpoint is sent to after an outage: {@link FIRST_SECOND} requests in the first second, twice as
 * many in each further one. So a
 * receiver that has just come back is not met by everything that waits for it, however fast it responds. Times in
 * milliseconds of business time.
 */
export class Ramp {
  /** Since when it has been well again; undefined while it is well or not back yet. */
  private beganAt: number | undefined;
  private isOut = false;
  private second = 0;
  private started = 0;

  /** The receiver fails, so that it gets one request at a time. */
  outage(): void {
    this.isOut = true;
    this.beganAt = undefined;
  }

  /** The receiver has taken a request. */
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

  /** Whether another request may leave now. */
  mayStart(nowMs: number): boolean {
    if (this.beganAt === undefined || this.isOver(nowMs)) return true;
    const second = Math.max(0, Math.floor((nowMs - this.beganAt) / SECOND_MS));
    if (second !== this.second) this.started = 0;
    this.second = second;
    return this.started < FIRST_SECOND * 2 ** second;
  }

  /** A request leaves, in the second that {@link mayStart} was asked about. */
  start(): void {
    this.started += 1;
  }
}
