import type { LogEntry } from 'kafkajs';
import { ReportLimit } from '@ponte/concurrency';
import { bridge } from './client';

test('log entries of the client: rebalances are dropped, failures become warnings, and message contents are never logged', () => {
  const entries: unknown[] = [];
  const logger = {
    warn: (...line: unknown[]) => void entries.push(line),
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
  expect(entries).toEqual([]);
  say('Connection error: connect ECONNREFUSED', { broker: 'b:1', payload: 'João', stack: 'at x' });
  expect(entries).toEqual([[{ broker: 'b:1', kafka: 'Connection' }, 'Connection error: connect ECONNREFUSED']]);
});

test('while a broker does not answer, the same message of the client is logged every ten seconds, with its number', () => {
  let now = 0;
  const [reports, entries] = [new ReportLimit(() => now), [] as object[]];
  const logger = { warn: (fields: object) => void entries.push(fields), error: () => undefined };
  for (; now < 20_000; now += 100)
    bridge({ namespace: 'Connection', log: { message: 'Connection error' } } as LogEntry, logger, reports);
  expect(entries).toEqual([{ kafka: 'Connection' }, { kafka: 'Connection', times: 100, secondsSinceReport: 10 }]);
});

test('the same message about another partition, broker or error is logged, and attempts are not told apart', () => {
  const entries: object[] = [];
  const [reports, logger] = [
    new ReportLimit(),
    { warn: (fields: object) => void entries.push(fields), error: jest.fn() },
  ];
  const say = (fields: object): void =>
    bridge({ namespace: 'Consumer', log: { message: 'Offset out of range', ...fields } } as LogEntry, logger, reports);
  for (const retryCount of [0, 1])
    for (const partition of [0, 1, 2]) say({ topic: 'ponte.order', partition, retryCount });
  for (const error of ['timed out', 'not authorized']) say({ broker: 'b:1', error });
  expect(entries).toMatchObject([
    ...[0, 1, 2].map((partition) => ({ topic: 'ponte.order', partition, retryCount: 0 })),
    ...['timed out', 'not authorized'].map((error) => ({ broker: 'b:1', error })),
  ]);
  expect(entries).toHaveLength(5);
});

test('an error in the place of a message is logged as its text, and limited as every other', () => {
  const warn = jest.fn();
  const [reports, logger] = [new ReportLimit(), { warn, error: jest.fn() }];
  for (let count = 0; count < 3; count += 1) {
    const log = { message: new Error('SASL PLAIN authentication failed') as unknown };
    bridge({ namespace: 'BrokerPool', log } as LogEntry, logger, reports);
  }
  expect(warn.mock.calls).toEqual([[{ kafka: 'BrokerPool' }, 'Error: SASL PLAIN authentication failed']]);
});
