import type { Task } from '../delivery-task';

/** The most tasks in memory for one endpoint. Further ones wait in the read model. */
export const MAX_QUEUE = 512;
/** The most tasks in memory for an endpoint to which nothing was sent yet. */
export const FIRST_QUEUE = 128;
/** The most tasks in memory for an endpoint that fails. */
export const MIN_QUEUE = 16;
/** The most tasks in memory for all endpoints. Each endpoint may have one more, so that none waits for others. */
export const MAX_QUEUED = 65_536;
/** When fewer than this part of its limit is queued, more tasks are read from the read model. */
const LOW_WATER = 1 / 8;

/** The number of tasks that this process has in memory. */
export class QueuedTasks {
  count = 0;

  constructor(readonly most = MAX_QUEUED) {}
}

/**
 * The tasks of one endpoint that wait in memory. All others are found in the read model.
 *
 * The limit of a queue doubles with each delivery that ends and is halved by each failure. No queue may be longer than
 * the room that all queues together leave free, so that many long queues become shorter and a new one finds room. Only
 * endpoints at the highest limit may use the second half of the room: those that fail never fill it.
 */
export class TaskQueue {
  private readonly tasks: Task[] = [];
  private limit = FIRST_QUEUE;
  /** Tasks were rejected because there was no room, so the read model has more. */
  private overflowed = false;

  constructor(private readonly all: QueuedTasks) {}

  get length(): number {
    return this.tasks.length;
  }

  get hasOverflowed(): boolean {
    return this.overflowed;
  }

  /** How many tasks to read from the read model; 0 while enough are queued or there is no room. */
  get toRead(): number {
    return this.tasks.length <= this.limit * LOW_WATER && this.hasRoom ? this.limit : 0;
  }

  /** False when there is no room for the task. */
  enqueue(task: Task): boolean {
    if (!this.hasRoom) {
      this.overflowed = true;
      return false;
    }
    this.tasks.push(task);
    this.all.count += 1;
    return true;
  }

  dequeue(): Task | undefined {
    const task = this.tasks.shift();
    if (task) this.all.count -= 1;
    return task;
  }

  /**
   * True once, when tasks were rejected before and there is room for them now. False for an endpoint that fails, for
   * which the next scan is soon enough.
   */
  wantsMore(): boolean {
    if (!this.overflowed || this.toRead === 0) return false;
    this.overflowed = false;
    return this.limit > MIN_QUEUE;
  }

  /** Call when a delivery has succeeded, or has ended because its endpoint was disabled or deleted. */
  grow(): void {
    this.limit = Math.min(MAX_QUEUE, this.limit * 2);
  }

  /** Call after a failed attempt. Returns the tasks beyond the lower limit, which are no longer queued. */
  shrink(): Task[] {
    this.limit = Math.max(MIN_QUEUE, this.limit / 2);
    const removed = this.tasks.splice(this.limit);
    this.all.count -= removed.length;
    if (removed.length > 0) this.overflowed = true;
    return removed;
  }

  private get hasRoom(): boolean {
    const { length } = this.tasks;
    const most = this.limit === MAX_QUEUE ? this.all.most : this.all.most / 2;
    return length === 0 || length < Math.min(this.limit, most - this.all.count);
  }
}
