import { EventStoreUnavailable } from '@ponte/event-sourcing';
import type { Logger } from 'pino';
import { OpenEngines } from './open-engines';

describe('Engines that are open', () => {
  it('are closed once, the last one first, and what one of them throws is logged', async () => {
    const opened = new OpenEngines();
    const closed: string[] = [];
    for (const name of ['log', 'state', 'bus'])
      opened.keep(name, () => {
        closed.push(name);
        if (name === 'state') throw new EventStoreUnavailable('the disk is full');
      });
    const errors: unknown[] = [];
    const logger = { error: (fields: object) => errors.push(fields) } as unknown as Logger;
    await Promise.all([opened.close(logger), opened.close(logger)]);
    expect(closed).toEqual(['bus', 'state', 'log']);
    expect(errors).toMatchObject([{ error: { name: 'EventStoreUnavailable', message: expect.any(String) } }]);
  });
});
