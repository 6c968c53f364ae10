import type { Task } from '../delivery-task';
import type { DeliveryQueues } from '../delivery-queues.read-model';

/** Pages of endpoints per round; the next round continues after them. */
const PAGES = 16;

interface DueScanParts {
  readonly due: Pick<DeliveryQueues, 'due'>;
  /** Business time, ISO 8601. */
  now(): string;
  /** Called at the start of a round, before the read model is queried. */
  begins(): void;
  /** False when this process may no longer send. */
  mayContinue(): boolean;
  /** How many deliveries of the endpoint to read; 0 if it has enough queued or asked for a pause. */
  toRead(endpointId: string): number;
  /** Whether a delivery is not trusted to be due, or could not be attempted a moment ago. */
  isPostponed(deliveryId: string): boolean;
  found(task: Task): void;
}

/**
 * Scans the read model for due deliveries, a limited number of endpoints per round, so that the backlog of one endpoint
 * does not delay the others.
 */
export class DueScan {
  private running: Promise<void> | undefined;
  private reached: string | null = null;

  constructor(private readonly parts: DueScanParts) {}

  /** Starts a round, or returns the one that is running. Rejects when the read model cannot be read. */
  round(): Promise<void> {
    // The round starts after this statement, because its start may ask for another one, which is then this one.
    this.running ??= Promise.resolve()
      .then(() => this.once())
      .finally(() => {
        this.running = undefined;
      });
    return this.running;
  }

  /** Resolves when no round is running, whether or not the last one succeeded. */
  async ended(): Promise<void> {
    await this.running?.catch(() => undefined);
  }

  private async once(): Promise<void> {
    const { due, now, begins, mayContinue, toRead, isPostponed, found } = this.parts;
    begins();
    for (let page = 0; mayContinue() && page < PAGES; page += 1) {
      const { tasks, next } = await due.due(now(), toRead, this.reached, isPostponed);
      for (const task of tasks) found(task);
      this.reached = next;
      if (next === null) return;
    }
  }
}
