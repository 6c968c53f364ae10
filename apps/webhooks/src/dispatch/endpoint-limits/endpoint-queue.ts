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
/** Requests in the first second after an outage. */
export const FIRST_SECOND = 10;
/** The number of seconds with a limited rate. The last one allows more requests than an endpoint can be sent. */
export const RAMP_SECONDS = 6;
const SECOND_MS = 1_000;

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

/**
 * Limits the request rate to an endpoint after an outage: {@link FIRST_SECOND} requests in the first second, and twice
 * as many in each following second, however fast the receiver responds. Times are business time in milliseconds.
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
  recordSuccess(nowMs: number): void {
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
