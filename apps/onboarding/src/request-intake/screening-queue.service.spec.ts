import type { CommandBus } from '@nestjs/cqrs';
import type { ScreeningStarted } from '@ponte/contracts';
import type { Recorded } from '@ponte/event-sourcing';
import { Unavailable } from '@ponte/kernel';
import type { Logger } from 'pino';
import type { OpenRequest } from '../account-request/account-request.state';
import type { AccountRequests } from '../account-request/account-requests.service';
import type { ScreenRequestCommand } from '../screening/screen-request.command';
import { WhenScreeningStartedScreenRequest } from '../screening/when-screening-started-screen-request.policy';
import { MAX_IN_QUEUE, ScreeningQueue } from './screening-queue.service';

const CONTEXT = { commandId: 'c', correlationId: 'c', actor: 'test' };

const requestOf = (requestId: string, provider = 'provider-1', round = 1): OpenRequest =>
  ({ terms: { requestId }, parts: { liveness: { provider } }, round }) as OpenRequest;

describe('The screening queue', () => {
  /** What is being screened; calling one ends it. */
  let screening: Map<string, (error?: Error) => void>;
  let logged: string[];
  let queue: ScreeningQueue;
  let logger: Logger;

  beforeEach(() => {
    screening = new Map();
    logged = [];
    const commands = {
      execute: ({ payload: { requestId } }: ScreenRequestCommand) =>
        new Promise<void>((resolve, reject) => {
          screening.set(requestId, (error) => (error ? reject(error) : resolve()));
        }),
    };
    const log = (level: string) => (_facts: unknown, message: string) => {
      logged.push(`${level}: ${message}`);
    };
    logger = { warn: log('warn'), error: log('error') } as unknown as Logger;
    queue = new ScreeningQueue(commands as unknown as CommandBus, logger);
  });

  const add = (request: OpenRequest, kind: 'new' | 'retried' = 'new') => queue.add(request, kind, CONTEXT);

  it('is bounded for each provider, and leaves room for new requests', () => {
    for (let at = 0; at < MAX_IN_QUEUE.retried; at += 1) expect(add(requestOf(`r-${at}`), 'retried')).toBeDefined();
    expect(add(requestOf('late'), 'retried')).toBeUndefined();
    expect(add(requestOf('of another provider', 'provider-2'), 'retried')).toBeDefined();
    for (let at = MAX_IN_QUEUE.retried; at < MAX_IN_QUEUE.new; at += 1) expect(add(requestOf(`r-${at}`))).toBeDefined();
    expect(add(requestOf('too late'))).toBeUndefined();
    expect(screening.size).toBe(17);
    expect(screening.has('of another provider')).toBe(true);
  });

  it('screens the next request when one has ended, even if it failed', async () => {
    const tried = Array.from({ length: 18 }, (_, at) => add(requestOf(`r-${at}`)));
    expect(screening.has('r-16')).toBe(false);
    screening.get('r-3')?.(new Unavailable('service-unavailable'));
    await tried[3];
    expect(screening.has('r-16')).toBe(true);
    screening.get('r-4')?.(new Error('broken'));
    await tried[4];
    expect(screening.has('r-17')).toBe(true);
    expect(logged.map((line) => line.split(':')[0])).toEqual(['warn', 'error']);
  });

  it('holds each round of a request once', async () => {
    const first = add(requestOf('r'));
    expect(add(requestOf('r'), 'retried')).toBe(first);
    expect(add(requestOf('r', 'provider-1', 2))).not.toBe(first);
    screening.get('r')?.();
  });

  it('accepts nothing during a stop, drops what waits, and waits for what is being screened', async () => {
    Array.from({ length: 17 }, (_, at) => add(requestOf(`r-${at}`)));
    const stopped = queue.onApplicationShutdown();
    expect([add(requestOf('late')), queue.isStopping]).toEqual([undefined, true]);
    for (const end of screening.values()) end();
    await stopped;
    expect(screening.size).toBe(16);
  });

  it('is reported as full when a request finds no room, and not during a stop', async () => {
    const state = { ...requestOf('late'), status: 'pending', stage: 'screening' };
    const requests = { load: async () => state } as unknown as AccountRequests;
    const policy = new WhenScreeningStartedScreenRequest(requests, queue, logger);
    const data = { requestId: 'late', round: 1 };
    const started = { id: 'e', data, meta: CONTEXT } as unknown as Recorded<ScreeningStarted>;
    Array.from({ length: MAX_IN_QUEUE.new }, (_, at) => add(requestOf(`r-${at}`)));
    await policy.handle(started);
    expect(logged).toEqual(['warn: too many requests are being screened; a timer screens this one']);
    void queue.onApplicationShutdown();
    await policy.handle(started);
    expect(logged).toHaveLength(1);
    for (const end of screening.values()) end();
  });
});
