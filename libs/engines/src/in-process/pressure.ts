/** Callers' requests under way from which on the log's consumers step back. */
const BUSY_REQUESTS = 8;
/** Events that are handled at once while callers wait; without callers the lanes of each consumer are the limit. */
const EVENTS_WHILE_BUSY = 8;

/**
 * Who goes first where requests and the consumers of the log share one thread: a caller waits for an answer, an event waits
 * safely in the log. Consumers never stand still, so what was accepted under load is carried on, only later.
 */
export class Pressure {
  private requests = 0;
  private events = 0;
  private readonly waiting: (() => void)[] = [];

  requestBegan(): void {
    this.requests += 1;
  }

  requestEnded(): void {
    this.requests -= 1;
    this.admit();
  }

  /** Resolves when an event may be handled; undefined when it may be at once. Every call is followed by {@link eventDone}. */
  turn(): Promise<void> | undefined {
    if (this.mayPass()) {
      this.events += 1;
      return undefined;
    }
    return new Promise((resolve) => { this.waiting.push(resolve); });
  }

  eventDone(): void {
    this.events -= 1;
    this.admit();
  }

  private mayPass(): boolean {
    return this.requests < BUSY_REQUESTS || this.events < EVENTS_WHILE_BUSY;
  }

  private admit(): void {
    while (this.waiting.length > 0 && this.mayPass()) {
      this.events += 1;
      this.waiting.shift()?.();
    }
  }
}
