import 'reflect-metadata';
import { setImmediate as immediately } from 'node:timers/promises';
import { Injectable, Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { Decider } from '@ponte/event-sourcing';
import { Aggregates, event } from '@ponte/event-sourcing';
import { refuse } from '@ponte/kernel';
import type { Shown } from '@ponte/read-models';
import { freshId, MemoryEventStore } from '@ponte/testing';
import { defineRepository } from './repository';
import { CLOCK, LOGGER } from './tokens';

class Abandoned extends event('Abandoned')<{ by: number }> {}
class Counted extends event('Counted')<{ by: number }> {}
interface Counter {
  readonly total: number;
}
const counter: Decider<number, Counter, Abandoned | Counted> = {
  category: 'counter',
  initial: { total: 0 },
  events: [Abandoned, Counted],
  decide(by) {
    if (by < 0) return refuse('insufficient-balance', 'must be 0 or more');
    return by === 0 ? [] : [new Counted({ by })];
  },
  evolve: ({ total }, { data }) => ({ total: total + data.by }),
};

/** An attempt to count more than 100 is abandoned before anything was counted. */
const abandonable: typeof counter = {
  ...counter,
  category: 'abandonable',
  creation: Counted,
  decide: (by, state) => (by > 100 ? [new Abandoned({ by: 0 })] : counter.decide(by, state)),
};

class CounterList {
  readonly rows: string[] = [];
  failing = false;

  async show({ id, state, revision }: Shown<Counter>): Promise<void> {
    if (this.failing) throw new TypeError('a row that must not be logged');
    this.rows.push(`${id} ${state.total} at ${revision}`);
  }
}

@Injectable()
class Counters extends defineRepository(counter, CounterList) {}
@Injectable()
class AbandonableCounters extends defineRepository(abandonable, CounterList) {}
@Injectable()
class UnlistedCounters extends defineRepository(counter) {}

const context = () => ({ commandId: freshId(), correlationId: 'c', actor: 'test', accountId: 'a' });
let list: CounterList;
let errors: unknown[][];
let lines: unknown[][];
let counters: Counters;
let abandonables: AbandonableCounters;
let unlisted: UnlistedCounters;
let close: () => Promise<void>;
beforeEach(async () => {
  list = new CounterList();
  errors = [];
  lines = [];
  const aggregates = new Aggregates({
    store: new MemoryEventStore(),
    systemNow: () => 0,
    pause: async () => void (await immediately()),
  });
  const values: [symbol | typeof Aggregates | typeof CounterList, unknown][] = [
    [Aggregates, aggregates],
    [CLOCK, { now: () => 0 }],
    [LOGGER, { error: (...line: unknown[]) => errors.push(line), info: (...line: unknown[]) => lines.push(line) }],
    [CounterList, list],
  ];
  @Module({
    providers: [
      Counters,
      AbandonableCounters,
      UnlistedCounters,
      ...values.map(([provide, useValue]) => ({ provide, useValue })),
    ],
  })
  class Root {}
  const app = await NestFactory.createApplicationContext(Root, { logger: false });
  counters = app.get(Counters);
  abandonables = app.get(AbandonableCounters);
  unlisted = app.get(UnlistedCounters);
  close = () => app.close();
});
afterEach(() => close());

describe('a repository', () => {
  it('executes a command once, writes the state to the read model, and loads it', async () => {
    const once = context();
    expect(await counters.createIfAbsent('one', 2, once)).toEqual({ total: 2 });
    expect(await counters.createIfAbsent('one', 2, once)).toEqual({ total: 2 });
    expect(await counters.execute('one', 3, context())).toEqual({ total: 5 });
    expect(await counters.load('one')).toEqual({ total: 5 });
    expect(list.rows.filter((row) => row.endsWith('at 1'))).toEqual(['one 5 at 1']);
  });

  it('writes no row after a command that changed nothing, and rethrows refusals', async () => {
    expect(await counters.execute('one', 0, context())).toEqual({ total: 0 });
    await expect(counters.execute('one', -1, context())).rejects.toMatchObject({ code: 'insufficient-balance' });
    expect(list.rows).toEqual([]);
  });

  it('executes a command although the read model fails, logs that without the row, and writes the next state', async () => {
    list.failing = true;
    expect(await counters.execute('one', 4, context())).toEqual({ total: 4 });
    expect(errors).toEqual([
      [expect.objectContaining({ category: 'counter', id: 'one', failure: 'TypeError' }), expect.any(String)],
    ]);
    expect(JSON.stringify(errors)).not.toContain('must not be logged');
    list.failing = false;
    await counters.execute('one', 1, context());
    expect(list.rows).toEqual(['one 5 at 1']);
  });

  it('logs which request created a resource, even if its row cannot be written, and a repetition of the request', async () => {
    list.failing = true;
    const request = context();
    await counters.createIfAbsent('one', 2, { ...request, correlationId: 'request-1' });
    await counters.createIfAbsent('one', 2, { ...request, correlationId: 'request-2' });
    await counters.execute('one', 3, { ...context(), correlationId: 'request-3' });
    expect(lines).toEqual(
      ['request-1', 'request-2'].map((id) => [
        { 'correlation-id': id, stream: 'counter-one' },
        'a resource was created',
      ]),
    );
  });

  it('logs the creation after an abandoned attempt, and again when its request is repeated later', async () => {
    await abandonables.execute('one', 101, { ...context(), correlationId: 'request-1' });
    expect(lines).toEqual([]);
    const request = context();
    await abandonables.execute('one', 2, { ...request, correlationId: 'request-2' });
    await abandonables.execute('one', 101, { ...context(), correlationId: 'request-3' });
    await abandonables.execute('one', 2, { ...request, correlationId: 'request-4' });
    expect(lines.map(([about]) => about)).toEqual(
      ['request-2', 'request-4'].map((id) => ({ 'correlation-id': id, stream: 'abandonable-one' })),
    );
  });

  it('works without a read model, and logs nothing about it', async () => {
    expect(await unlisted.execute('one', 1, context())).toEqual({ total: 1 });
    expect([errors, lines]).toEqual([[], []]);
  });
});
