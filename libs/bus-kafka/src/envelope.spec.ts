import type { EventMeta, Recorded } from '@ponte/event-sourcing';
import { fromEnvelope, NotAnEvent, toEnvelope } from './envelope';

describe('the envelope of an event', () => {
  // All members of the metadata, typed so that a new member cannot be forgotten here.
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

  test('preserves every field of the stored event', () => {
    expect(fromEnvelope(Buffer.from(toEnvelope('orders', event)))).toEqual(event);
    const { causationId: _, ...less } = meta;
    expect(fromEnvelope(Buffer.from(toEnvelope('orders', { ...event, meta: less })))).toEqual({ ...event, meta: less });
  });

  test('is a CloudEvent 1.0 whose attributes have lower-case names and plain values', () => {
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
    ['nothing', null, 'the message has no value'],
    ['no JSON', 'João', 'the value is not JSON'],
    ['a list', '[]', 'not a JSON object'],
    ['null', 'null', 'not a JSON object'],
    ['another version', { specversion: '0.3' }, 'specversion'],
    ['no stream', { subject: 'nowhere' }, 'subject'],
    ['no revision', { revision: -1 }, 'revision'],
    ['a text for a number', { index: '1' }, 'index'],
    ['data that is a text', { data: 'João' }, 'data'],
    ['no command', { commandid: undefined }, 'commandid'],
  ])('is refused without quoting its content if it has %s', (_, wrong, reason) => {
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
