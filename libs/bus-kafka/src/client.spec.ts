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
  expect(entries).toEqual([{ kafka: 'Connection' }, { kafka: 'Connection', times: 100 }]);
});
