import type { KafkaMessage, LogEntry } from 'kafkajs';
import RequestQueue from 'kafkajs/src/network/requestQueue';
import { Refusal, refusal, Unavailable } from '@ponte/kernel';
import type { EventMeta, Recorded } from '@ponte/event-sourcing';
import { bridge } from './client';
import { fromEnvelope, NotAnEvent, toEnvelope } from './envelope';
import { assertNamePart, names } from './names';
import { broughtBy } from './partitions/paced-fetch';
import { PartitionWork } from './partitions/partition-work';
import { PassedRevisions } from './partitions/passed-revisions';
import { Pool } from './pool';
import { quietQueues } from './partitions/quiet-queue';
import { answerMessage, correlationOf, readAnswer, readRequest, requestMessage } from './requests/request-wire';

/** As a consumer gets what a producer was given. */
const received = ({ key, value, headers }: { key?: unknown; value: unknown; headers?: object }): KafkaMessage =>
  ({
    key: key === null ? null : Buffer.from(String(key)),
    value: value === null ? null : Buffer.from(String(value)),
    attributes: 0,
    timestamp: '0',
    offset: '0',
    headers: Object.fromEntries(Object.entries(headers ?? {}).map(([name, text]) => [name, Buffer.from(String(text))])),
  }) as KafkaMessage;

describe('the envelope of an event', () => {
  // Every member of the metadata, so that one which is added cannot be forgotten here.
  const meta: Required<EventMeta> = {
    commandId: 'c',
    index: 1,
    count: 3,
    occurredAt: '2026-01-02T03:04:05.678Z',
    correlationId: 'x',
    causationId: 'y',
    actor: 'a',
    traceparent: 't',
  } as Required<EventMeta>;
  const event: Recorded = {
    id: 'i',
    stream: 'order-1',
    revision: 7,
    position: '12',
    type: 'OrderPlaced',
    version: 2,
    data: { amount: '1.00', none: null },
    meta,
  };

  test('gives back the stored event, every member of it', () => {
    expect(fromEnvelope(Buffer.from(toEnvelope('orders', event)))).toEqual(event);
    const { causationId: _, ...less } = meta;
    expect(fromEnvelope(Buffer.from(toEnvelope('orders', { ...event, meta: less })))).toEqual({ ...event, meta: less });
  });

  test('is a CloudEvent 1.0: its attributes have lower-case names and plain values', () => {
    const { data, ...attributes } = JSON.parse(toEnvelope('orders', event)) as Record<string, unknown>;
    expect(attributes).toMatchObject({
      specversion: '1.0',
      id: 'i',
      source: '/ponte/orders',
      type: 'OrderPlaced',
      subject: 'order-1',
      time: meta.occurredAt,
    });
    for (const [name, value] of Object.entries(attributes)) {
      expect(name).toMatch(/^[a-z0-9]{1,20}$/);
      expect(['string', 'number']).toContain(typeof value);
    }
    expect(data).toEqual(event.data);
  });

  test.each([
    ['nothing', null, 'there is no value'],
    ['no JSON', 'João', 'the value is not JSON'],
    ['a list', '[]', 'not an object'],
    ['null', 'null', 'not an object'],
    ['another version', { specversion: '0.3' }, 'specversion'],
    ['no stream', { subject: 'nowhere' }, 'subject'],
    ['no revision', { revision: -1 }, 'revision'],
    ['a text for a number', { index: '1' }, 'index'],
    ['data that is a text', { data: 'João' }, 'data'],
    ['no command', { commandid: undefined }, 'commandid'],
  ])('is refused when it is %s, without a word of what it held', (_, wrong, reason) => {
    const value =
      typeof wrong === 'object' && wrong !== null
        ? JSON.stringify({ ...(JSON.parse(toEnvelope('orders', event)) as object), ...wrong })
        : wrong;
    const read = (): unknown => fromEnvelope(value === null ? null : Buffer.from(value));
    expect(read).toThrow(NotAnEvent);
    expect(read).toThrow(reason);
    expect(read).not.toThrow('João');
  });
});

describe('requests and answers on the wire', () => {
  const request = {
    pattern: 'p',
    correlation: 'r',
    replyTo: 'replies.x',
    until: 5,
    payload: { n: 1 },
    context: { commandId: 'c', correlationId: 'd', deadline: 5, traceparent: 't' },
  };

  test('a request arrives with its whole context', () => {
    expect(readRequest(received(requestMessage(request, undefined)))).toEqual(request);
    expect(requestMessage(request, 'k').key).toBe('k');
    expect(requestMessage(request, 'k').headers).toMatchObject({ 'correlation-id': 'd', traceparent: 't' });
    expect(
      requestMessage({ ...request, context: { commandId: 'c', correlationId: 'd' } }, 'k').headers,
    ).not.toHaveProperty('traceparent');
  });

  test.each([
    ['without headers', { headers: {} }],
    ['without a value', { value: null }],
    ['that is no JSON', { value: '{' }],
    ['without a context', { value: '{"payload":1}' }],
    [
      'with an invalid deadline',
      { headers: { ...requestMessage(request, undefined).headers, 'ponte-deadline': 'soon' } },
    ],
  ])('a message %s is no request', (_, wrong) => {
    expect(readRequest(received({ ...requestMessage(request, undefined), ...wrong } as never))).toBeUndefined();
  });

  test('answers arrive as they were given; a malformed answer is an unknown outcome', () => {
    const over = (...given: Parameters<typeof answerMessage>) => {
      const message = received(answerMessage(...given) as never);
      return { correlation: correlationOf(message), answer: readAnswer(message) };
    };
    expect(over('r', { ok: true, reply: { fine: [1, null] } })).toEqual({
      correlation: 'r',
      answer: { ok: true, reply: { fine: [1, null] } },
    });
    expect(over('r', { ok: true, reply: undefined }).answer).toEqual({ ok: true, reply: undefined });
    expect(
      over('r', {
        ok: false,
        error: refusal('amount-below-minimum', 'too little', 'source-amount', { minimum: '10.00' }),
      }).answer,
    ).toMatchObject({
      ok: false,
      error: {
        name: 'Refusal',
        code: 'amount-below-minimum',
        violations: [{ path: 'source-amount', minimum: '10.00' }],
      },
    });
    expect(over('r', { ok: false, error: new Unavailable('rail-unavailable', 'later', 9) }).answer).toMatchObject({
      error: { code: 'rail-unavailable', retryAfterSeconds: 9 },
    });
    for (const value of [null, '', '[]', '{"error":{"kind":"refusal","faults":[]}}', '{"error":null}']) {
      const answer = readAnswer(received({ value }));
      expect(answer).toMatchObject({ ok: false, error: { code: 'service-unavailable' } });
      expect(answer.ok === false && answer.error).not.toBeInstanceOf(Refusal);
    }
  });
});

describe('the work on a partition', () => {
  test('commits the lowest unfinished offset, whatever is finished behind it', () => {
    const work = new PartitionWork('t', 0);
    expect(work.due()).toBeUndefined();
    const ends = ['5', '6', '9'].map((offset) => work.begin(offset));
    ends[2]?.();
    ends[1]?.();
    expect(work.due()).toBeUndefined();
    ends[0]?.();
    expect([work.due(), work.unfinished]).toEqual(['10', 0]);
    work.wasCommitted('10');
    expect(work.due()).toBeUndefined();
    work.commitAgain();
    expect(work.due()).toBe('10');
    work.abandoned = true;
    expect(work.due()).toBeUndefined();
  });

  test('passes over what it took before, and knows a partition that was rebuilt', () => {
    const work = new PartitionWork('t', 0);
    work.begin('8')();
    expect([work.isNew('7'), work.isNew('8'), work.isNew('9')]).toEqual([false, false, true]);
    expect([work.isAnother('9'), work.isAnother('8'), work.isAnother('3')]).toEqual([false, true, true]);
    work.end = 20n;
    expect(work.lag).toBe(11);
  });
});

test('a stream that was not met tells nothing; of others, what was passed and what was left out', () => {
  const passed = new PassedRevisions();
  expect([passed.has('s', 3), passed.skips('s', 3)]).toEqual([false, false]);
  passed.pass('s', 3);
  passed.pass('s', 2);
  expect([
    passed.has('s', 2),
    passed.has('s', 3),
    passed.has('s', 4),
    passed.skips('s', 4),
    passed.skips('s', 5),
  ]).toEqual([true, true, false, false, true]);
});

test('a pool does so much at once, in order, and tells when all is done', async () => {
  const pool = new Pool(2);
  const ends: (() => void)[] = [];
  const begun: number[] = [];
  for (let at = 0; at < 5; at += 1) {
    pool.add(async () => {
      begun.push(at);
      await new Promise<void>((resolve) => {
        ends.push(resolve);
      });
    });
  }
  expect([begun, pool.depth]).toEqual([[0, 1], 5]);
  const settled = pool.settled();
  for (let at = 0; at < 5; at += 1) {
    ends.shift()?.();
    await new Promise((resolve) => {
      setImmediate(resolve);
    });
  }
  await settled;
  expect([begun, pool.depth]).toEqual([[0, 1, 2, 3, 4], 0]);
});

test('names of topics and groups, under a namespace and without', () => {
  expect(names().replies('orders', 'pod-1')).toBe('replies.orders.pod-1');
  const spaced = names('a.');
  expect([spaced.commands('orders'), spaced.events('orders'), spaced.deadLetters('orders')]).toEqual([
    'a.orders.commands',
    'a.orders.events',
    'a.orders.events.dead-letters',
  ]);
  expect(spaced.repliesGroup(spaced.replies('orders', 'pod-1'))).toBe('a.ponte.replies.orders.pod-1');
  expect(spaced.replies('orders', 'x').startsWith(spaced.repliesOf('orders'))).toBe(true);
  for (const bad of ['', 'a b', 'a/b', 'x'.repeat(101)]) expect(() => assertNamePart(bad)).toThrow('cannot be part');
});

test("the client's own words: rebalances are every day's business, failures are warnings, and messages are never quoted", () => {
  const said: unknown[] = [];
  const logger = {
    warn: (...line: unknown[]) => void said.push(line),
    error: () => {
      throw new Error('nothing of the client is an error');
    },
  };
  const say = (message: string, extra: object = {}): void =>
    bridge(
      { namespace: 'Connection', level: 1, label: 'ERROR', log: { timestamp: '', message, ...extra } } as LogEntry,
      logger,
    );
  say('Response Heartbeat(key: 12, version: 3)', { error: 'The group is rebalancing, so a rejoin is needed' });
  say('The coordinator is not aware of this member, re-joining the group');
  expect(said).toEqual([]);
  say('Connection error: connect ECONNREFUSED', { broker: 'b:1', payload: 'João', stack: 'at x' });
  expect(said).toEqual([[{ broker: 'b:1', kafka: 'Connection' }, 'Connection error: connect ECONNREFUSED']]);
});

describe('the queue of a connection', () => {
  afterEach(() => {
    jest.useRealTimers();
  });

  test('takes a look when something waits, once, and sleeps when nothing does', () => {
    jest.useFakeTimers();
    quietQueues();
    const quiet = (pending: unknown[], throttledUntil: number): { looks: number; queue: RequestQueue } => {
      const made = { looks: 0, queue: Object.create(RequestQueue.prototype) as RequestQueue };
      Object.assign(made.queue, {
        pending,
        throttledUntil,
        throttleCheckTimeoutId: null,
        checkPendingRequests: () => {
          made.looks += 1;
        },
      });
      made.queue.scheduleCheckPendingRequests();
      made.queue.scheduleCheckPendingRequests();
      return made;
    };
    const [idle, waiting, throttled] = [quiet([], -1), quiet([{}], -1), quiet([{}], Date.now() + 500)];
    expect(jest.getTimerCount()).toBe(2);
    jest.advanceTimersByTime(100);
    expect([idle.looks, waiting.looks, throttled.looks]).toEqual([0, 1, 0]);
    jest.advanceTimersByTime(500);
    expect([idle.looks, waiting.looks, throttled.looks]).toEqual([0, 1, 1]);
  });
});

test('of a fetch, what brought messages is handed over, also when all of them are left out later; of one that brought nothing, a single sign of life', () => {
  const batch = (partition: number, raw: number, messages = raw) => ({
    partition,
    rawMessages: Array(raw).fill({}),
    messages: Array(messages).fill({}),
  });
  const [empty, full, removed] = [batch(0, 0), batch(1, 3), batch(2, 2, 0)];
  expect(broughtBy([empty, full, batch(3, 0), removed])).toEqual([full, removed]);
  expect(broughtBy([empty, batch(3, 0)])).toEqual([empty]);
  expect(broughtBy([])).toEqual([]);
});
