import { Refusal, Unavailable } from '@ponte/kernel';
import type {
  Checkpoints, ConsumerOptions, EventStore, MessageBus, ParkedEvent, ParkingLot, RequestContext, RequestDefinition, RequestHandler,
} from '@ponte/event-sourcing';
import { categoryOf, logged } from '@ponte/event-sourcing';
import type { EngineLogger } from '../log';
import { safeError } from '../log';
import { Deadlines } from './deadlines';
import { Pressure } from './pressure';
import { EventReader } from './event-reader';
import type { ParkedEvents } from './parked-events';
import { assertPlainJson } from './plain-json';
import type { RetrySchedule } from './retries';
import { RETRIES } from './retries';

export interface InProcessBusOptions {
  readonly store: EventStore;
  readonly checkpoints: Checkpoints;
  readonly parkedEvents: ParkedEvents;
  /** The system's clock: epoch milliseconds. */
  readonly systemNow: () => number;
  readonly logger: EngineLogger;
  /** The stream categories whose events each service publishes. */
  readonly serviceCategories: Readonly<Record<string, readonly string[]>>;
  /** Refuses payloads and replies that a real bus could not carry. For development and tests: it costs microseconds. */
  readonly checkPayloads?: boolean;
  readonly retries?: RetrySchedule;
  /** When others of this process step back for its callers too. */
  readonly pressure?: Pressure;
}

export interface InProcessBus extends MessageBus, ParkingLot {}

/** All services of one process on one log: requests are calls, events come from the log. */
export function createInProcessBus(options: InProcessBusOptions): InProcessBus {
  return new Bus(options);
}

class Bus implements InProcessBus {
  private readonly handlers = new Map<string, RequestHandler>();
  private readonly readers: EventReader[] = [];
  private readonly deadlines: Deadlines;
  private readonly pressure: Pressure;
  private state: 'new' | 'started' | 'stopped' = 'new';
  private stopping: Promise<void> | undefined;

  constructor(private readonly options: InProcessBusOptions) {
    this.deadlines = new Deadlines(options.systemNow);
    this.pressure = options.pressure ?? new Pressure();
  }

  handle(pattern: string, handler: RequestHandler): void {
    if (this.handlers.has(pattern)) throw new Error(`${pattern} is answered twice`);
    this.handlers.set(pattern, handler);
  }

  request<P, R>(definition: RequestDefinition<P, R>, payload: P, context: RequestContext): Promise<R> {
    const handler = this.handlers.get(definition.pattern);
    if (!handler) {
      this.options.logger.error({ ...logged(context), pattern: definition.pattern }, 'nobody answers a request');
      return Promise.reject(new Unavailable('service-unavailable'));
    }
    if (this.state === 'stopped') return Promise.reject(new Unavailable('service-unavailable'));
    const { deadline } = context;
    if (deadline !== undefined && this.options.systemNow() > deadline) return Promise.reject(new Unavailable('service-unavailable'));
    return this.answer(definition.pattern, handler, payload, context) as Promise<R>;
  }

  consume(options: ConsumerOptions): void {
    const categories = this.options.serviceCategories[options.service];
    if (!categories) throw new Error(`no service is called ${options.service}`);
    const same = (one: EventReader): boolean => one.options.group === options.group && one.options.service === options.service;
    if (this.readers.some(same)) throw new Error(`group ${options.group} consumes ${options.service} twice`);
    const { store, checkpoints, parkedEvents: parked, systemNow, logger, retries = RETRIES } = this.options;
    this.readers.push(new EventReader({ store, checkpoints, parked, systemNow, logger, retries, pressure: this.pressure }, options, categories));
  }

  /** Starts the consumers that do not run yet: each service of the process may call it after its registrations. */
  async start(): Promise<void> {
    if (this.state === 'stopped') throw new Error('a bus that was stopped does not start again');
    this.state = 'started';
    for (const reader of this.readers) await reader.start();
  }

  async stop(): Promise<void> {
    this.stopping ??= Promise.all(this.readers.map((reader) => reader.stop())).then(() => { this.state = 'stopped'; });
    await this.stopping;
  }

  list(group?: string): Promise<readonly ParkedEvent[]> {
    return this.options.parkedEvents.list(group);
  }

  consumes(group: string, key: string): boolean {
    return this.state === 'started' && this.readerOf(group, key) !== undefined;
  }

  private readerOf(group: string, key: string): EventReader | undefined {
    return this.readers.find((one) => one.options.group === group && one.categories.includes(categoryOf(key)));
  }

  async release(group: string, key: string): Promise<void> {
    const reader = this.readerOf(group, key);
    if (!reader || this.state !== 'started') throw new Error(`no consumer of group ${group} for ${key} runs here`);
    await reader.release(key);
  }

  /** One promise for the answer and for what comes too late: each one more is 1 % of a quote. */
  private answer(pattern: string, handler: RequestHandler, payload: unknown, context: RequestContext): Promise<unknown> {
    return new Promise((kept, failed) => {
      const place = context.deadline === undefined ? undefined : this.deadlines.wait(context.deadline, failed);
      // What follows from an event is not a caller's request, though it asks as one.
      const calls = context.causationId === undefined;
      if (calls) this.pressure.requestBegan();
      const over = (): void => {
        if (place) this.deadlines.leave(place);
        if (calls) this.pressure.requestEnded();
      };
      const fail = (error: unknown): void => {
        over();
        failed(this.told(pattern, context, error));
      };
      this.begin(pattern, handler, payload, context).then((reply) => {
        over();
        kept(reply);
      }, fail);
    });
  }

  private begin(pattern: string, handler: RequestHandler, payload: unknown, context: RequestContext): Promise<unknown> {
    if (this.options.checkPayloads) return this.checked(pattern, handler, payload, context);
    try {
      return handler(payload, context);
    } catch (error) {
      return Promise.reject(error as Error);
    }
  }

  private async checked(pattern: string, handler: RequestHandler, payload: unknown, context: RequestContext): Promise<unknown> {
    assertPlainJson(payload, `${pattern} payload`);
    const reply = await handler(payload, context);
    assertPlainJson(reply, `${pattern} reply`);
    return reply;
  }

  /** What the caller is told of a failure. */
  private told(pattern: string, context: RequestContext, error: unknown): Error {
    if (error instanceof Refusal || error instanceof Unavailable) return error;
    this.options.logger.error({ ...logged(context), pattern, error: safeError(error) }, 'a request failed unexpectedly');
    return new Unavailable('service-unavailable');
  }
}
