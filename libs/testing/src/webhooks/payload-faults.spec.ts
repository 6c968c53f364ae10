import { exampleEvent, WEBHOOK_EVENT_TYPES } from '@ponte/contracts';
import { payloadFaults } from './payload-faults';

describe('the faults of a webhook payload', () => {
  it.each(WEBHOOK_EVENT_TYPES)('are none in the example of %s', (type) => {
    expect(payloadFaults(type, exampleEvent(type)['payload'] as Record<string, unknown>)).toEqual([]);
  });

  it('are its unknown fields, and those that are missing or have the wrong type', () => {
    const payload = exampleEvent('webhook-ping')['payload'] as Record<string, unknown>;
    expect(payloadFaults('webhook-ping', { ...payload, colour: 'red' })).toEqual(['colour is not a known field']);
  });
});
