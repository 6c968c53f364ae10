import type { Task } from './deliveries';
import type { DeliveryQueues } from './delivery-queues.read-model';

/** Pages of endpoints that one round goes through; the next round goes on from there. */
const PAGES = 16;

export interface DueScanParts {
  readonly due: Pick<DeliveryQueues, 'due'>;
  /** Business time, as the view has it. */
  now(): string;
  /** Before the view is asked. */
  begins(): void;
  /** False when this process is no longer the one that sends. */
  goesOn(): boolean;
  /** Endpoints that are to be left out: they have all they can take. */
  busy(): readonly string[];
  found(task: Task): void;
}

/**
 * Looks in the view for deliveries that are due, a part of the endpoints at a time, so that no crowd at one keeps the
 * others waiting.
 */
export class DueScan {
  private running: Promise<void> | undefined;
  private reached: string | null = null;

  constructor(private readonly parts: DueScanParts) {}

  /** One round at a time: who asks during one gets that one. Rejects when the view cannot be read. */
  round(): Promise<void> {
    this.running ??= this.once().finally(() => {
      this.running = undefined;
    });
    return this.running;
  }

  /** Resolves when no round is under way, however it ended. */
  async ended(): Promise<void> {
    await this.running?.catch(() => undefined);
  }

  private async once(): Promise<void> {
    const { due, now, begins, goesOn, busy, found } = this.parts;
    begins();
    for (let page = 0; goesOn() && page < PAGES; page += 1) {
      const { tasks, next } = await due.due(now(), busy(), this.reached);
      for (const task of tasks) found(task);
      this.reached = next;
      if (next === null) return;
    }
  }
}
