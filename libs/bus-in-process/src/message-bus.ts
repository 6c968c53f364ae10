import { Refusal, Unavailable } from '@ponte/kernel';
import type {
  ConsumerOptions,
  MessageBus,
  ParkedEvent,
  ParkingLot,
  RequestContext,
  RequestDefinition,
  RequestHandler,
} from '@ponte/event-sourcing';
import { categoryOf, logged, safeError } from '@ponte/event-sourcing';
import { BackgroundThrottle } from './background-throttle';
import { EventReader } from './event-reader';
import type { InProcessBusOptions } from './message-bus-options';
import { isOutage, OUTAGE_RELEASE_MS, OutageRelease } from './outages';
import { NestedRequestCheck } from './nested-requests';
import { assertPlainJson } from './plain-json';
import { RETRIES } from './retry-schedule';

export interface InProcessBus extends MessageBus, ParkingLot {}

/** The bus of all services of one process over one log: requests are function calls, and events come from the log. */
export function createInProcessBus(options: InProcessBusOptions): InProcessBus {
  return new Bus(options);
}

class Bus implements InProcessBus {
  private readonly handlers = new Map<string, RequestHandler>();
  private readonly readers: EventReader[] = [];
  private readonly deadlines: Deadlines;
  private readonly throttle: BackgroundThrottle;
  private readonly outages: OutageRelease;
  private readonly nested: NestedRequestCheck | undefined;
  private state: 'new' | 'started' | 'stopped' = 'new';
  private stopping: Promise<void> | undefined;

  constructor(private readonly options: InProcessBusOptions) {
    this.deadlines = new Deadlines(options.systemNow);
    this.throttle = options.throttle ?? new BackgroundThrottle();
    this.nested = options.isDeclaredNested && new NestedRequestCheck(options.isDeclaredNested);
    this.outages = new OutageRelease({
      everyMs: options.outageReleaseMs ?? OUTAGE_RELEASE_MS,
      readers: this.readers,
      logger: options.logger,
    });
  }

  handle(pattern: string, handler: RequestHandler): void {
    if (this.handlers.has(pattern)) throw new Error(`${pattern} has two handlers`);
    this.handlers.set(pattern, this.nested?.handling(pattern, handler) ?? handler);
  }

  request<P, R>({ pattern }: RequestDefinition<P, R>, payload: P, context: RequestContext): Promise<R> {
    this.nested?.assertDeclared(pattern, context);
    const answer = this.answer(pattern, payload, context) as Promise<R>;
    return context.deadline === undefined ? answer : this.deadlines.limit(answer, context.deadline);
  }

  consume(options: ConsumerOptions): void {
    const categories = this.options.serviceCategories[options.service];
    if (!categories) throw new Error(`unknown service ${options.service}`);
    const same = (one: EventReader): boolean =>
      one.options.group === options.group && one.options.service === options.service;
    if (this.readers.some(same)) throw new Error(`group ${options.group} already consumes ${options.service}`);
    const { store, checkpoints, parkedEvents: parked, systemNow, logger, retries = RETRIES } = this.options;
    const consume = this.nested?.unchecked(options.consume) ?? options.consume;
    this.readers.push(
      new EventReader(
        { store, checkpoints, parked, systemNow, logger, retries, throttle: this.throttle },
        { ...options, consume },
        categories,
      ),
    );
  }

  /** Starts the consumers that do not run yet. Each service of the process may call it after its registrations. */
  async start(): Promise<void> {
    if (this.state === 'stopped') throw new Error('a stopped bus cannot be started again');
    this.state = 'started';
    for (const reader of this.readers) await reader.start();
    this.outages.start();
  }

  async stop(): Promise<void> {
    this.outages.stop();
    this.stopping ??= Promise.all(this.readers.map((reader) => reader.stop())).then(() => {
      this.state = 'stopped';
    });
    await this.stopping;
    this.nested?.assertNoneUndeclared();
  }

  list(group?: string, key?: string): Promise<readonly ParkedEvent[]> {
    return this.options.parkedEvents.list(group, key);
  }

  consumes(group: string, key: string): boolean {
    return this.state === 'started' && this.readerOf(group, key) !== undefined;
  }

  private readerOf(group: string, key: string): EventReader | undefined {
    return this.readers.find((one) => one.options.group === group && one.categories.includes(categoryOf(key)));
  }

  async release(...[group, key, ...how]: Parameters<ParkingLot['release']>): Promise<boolean> {
    const reader = this.readerOf(group, key);
    if (!reader || this.state !== 'started')
      throw new Error(`this process has no consumer of group ${group} for ${key}`);
    return reader.release(key, ...how);
  }

  private async answer(pattern: string, payload: unknown, context: RequestContext): Promise<unknown> {
    const handler = this.handlers.get(pattern);
    if (!handler) {
      this.options.logger.error({ ...logged(context), pattern }, 'no handler for a request');
      throw new Unavailable('service-unavailable');
    }
    if (this.state === 'stopped') throw new Unavailable('service-unavailable');
    if (context.deadline !== undefined && this.options.systemNow() > context.deadline)
      throw new Unavailable('service-unavailable');
    // Requests that a policy sends because of an event do not count as callers' requests.
    const fromCaller = context.causationId === undefined;
    if (fromCaller) this.throttle.requestBegan();
    try {
      if (this.options.checkPayloads) assertPlainJson(payload, `${pattern} payload`);
      const reply = await handler(payload, context);
      if (this.options.checkPayloads) assertPlainJson(reply, `${pattern} reply`);
      return reply;
    } catch (error) {
      if (error instanceof Refusal || error instanceof Unavailable) throw error;
      const fields = { ...logged(context), pattern, error: safeError(error) };
      this.options.logger.error(fields, 'a request failed unexpectedly');
      throw isOutage(error) ? new Unavailable('service-unavailable') : Unavailable.unexpected();
    } finally {
      if (fromCaller) this.throttle.requestEnded();
    }
  }
}

/** One interval for all requests: less precise than a timer per request, and far cheaper. */
const CHECK_MS = 100;

/**
 * Stops waiting at a deadline. The work continues; its outcome is unknown to the caller, which may repeat the request.
 */
export class Deadlines {
  /** The deadline of each caller that waits for an answer, by the function that ends its wait. */
  private readonly callers = new Map<() => void, number>();
  private timer: NodeJS.Timeout | undefined;

  constructor(private readonly systemNow: () => number) {}

  /** Rejects with `Unavailable` if there is no answer by the deadline (epoch milliseconds). */
  limit<T>(answer: Promise<T>, deadline: number): Promise<T> {
    return new Promise<T>((resolve, reject) => {
      const giveUp = (): void => reject(new Unavailable('service-unavailable'));
      this.callers.set(giveUp, deadline);
      this.timer ??= setInterval(() => this.expire(), CHECK_MS).unref();
      void answer.then(resolve, reject).finally(() => this.callers.delete(giveUp));
    });
  }

  private expire(): void {
    const now = this.systemNow();
    for (const [giveUp, deadline] of this.callers) {
      if (now <= deadline) continue;
      this.callers.delete(giveUp);
      giveUp();
    }
    if (this.callers.size > 0) return;
    clearInterval(this.timer);
    this.timer = undefined;
  }
}
