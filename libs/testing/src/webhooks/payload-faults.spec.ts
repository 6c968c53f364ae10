import { exampleEvent, WEBHOOK_EVENT_TYPES } from '@ponte/contracts';
import { payloadFaults } from './payload-faults';

describe('the faults of a webhook payload', () => {
  it.each(WEBHOOK_EVENT_TYPES)('are none in the example of %s', (type) => {
    expect(payloadFaults(type, exampleEvent(type)['payload'] as Record<string, unknown>)).toEqual([]);
  });

  it('are its unknown fields, and those that are missing or have the wrong type', () => {
    const payload = exampleEvent('webhook-ping')['payload'] as Record<string, unknown>;
    expect(payloadFaults('webhook-ping', { ...payload, colour: 'red' })).toEqual(['colour is not a known field']);
    for (const [name, value] of Object.entries(payload)) {
      const { [name]: _, ...rest } = payload;
      const wrong = { ...payload, [name]: typeof value === 'number' ? 'text' : 7 };
      for (const faulty of [rest, wrong]) expect(payloadFaults('webhook-ping', faulty).join()).toContain(name);
    }
  });
});
