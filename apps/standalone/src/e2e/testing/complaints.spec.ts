import { StateBehindEvent, safeError } from '@ponte/event-sourcing';
import { Unavailable } from '@ponte/kernel';
import { createLogger } from '@ponte/nest';
import { complaintsIn } from './complaints';

/** The complaints in the log of a process that logs once, with these fields. */
function complaintsAbout(fields: object, level: 'warn' | 'error' = 'warn'): string[] {
  let log = '';
  createLogger('test', 'warn', undefined, { write: (line) => void (log += line) })[level](fields, 'said');
  return complaintsIn(log);
}

test.each<[string, object]>([
  ['a warning without an error', {}],
  ['an unexpected error', { err: new TypeError('x is undefined') }],
  ['an unexpected error of an engine', { error: safeError(new Error('broken')) }],
  ['an outage that is known by its name alone', { failure: 'Unavailable' }],
  ['an unexpected failure of a service', { error: safeError(Unavailable.unexpected()) }],
  ['an error with another code', { err: Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }) }],
  ['a job with an outdated state', { err: new StateBehindEvent('order 1', 'placed') }],
  ['a policy with an outdated state', { error: safeError(new StateBehindEvent('order 1', 'placed')) }],
])('%s is a complaint', (_what, fields) => {
  expect(complaintsAbout(fields)).toHaveLength(1);
});

test.each<[string, object]>([
  ['a node that did not answer in time', { err: new Unavailable('chain-unavailable', 'no answer in time') }],
  ['an event that is handled again', { error: safeError(new Unavailable('rail-unavailable')) }],
])('%s after an outage is no complaint', (_what, fields) => {
  expect(complaintsAbout(fields)).toEqual([]);
});

test('an outage that is logged as an error is a complaint', () => {
  expect(complaintsAbout({ err: new Unavailable('chain-unavailable', 'no answer in time') }, 'error')).toHaveLength(1);
});

test('text that is no log line is a complaint', () => {
  expect(complaintsIn('(node:1) Warning: something\n')).toEqual(['(node:1) Warning: something']);
  expect(complaintsIn('')).toEqual([]);
});
