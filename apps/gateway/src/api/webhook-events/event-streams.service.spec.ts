import { Metrics } from '@ponte/observability';
import { pino } from 'pino';
import type { Call } from '../../edge/request-context.service';
import { EventStreams } from './event-streams.service';

describe('a log that cannot be watched', () => {
  const stopped = jest.fn(() => Promise.resolve());
  let fails: boolean;
  let watches: number;
  let streams: EventStreams;
  const watch = () => {
    watches += 1;
    return fails ? Promise.reject(new Error('the store is down')) : Promise.resolve({ stop: stopped });
  };

  beforeEach(() => {
    [fails, watches] = [true, 0];
    stopped.mockClear();
    const unused = {} as never;
    streams = new EventStreams(unused, unused, { watch }, pino({ level: 'silent' }), new Metrics(), { now: () => 0 });
  });

  it('is watched again by the next stream, even while another stream is being opened', async () => {
    const slot = streams.take({ caller: null } as unknown as Call);
    await expect(streams.listen()).rejects.toThrow('the store is down');
    fails = false;
    await streams.listen();
    expect(watches).toBe(2);
    slot.leave();
    await new Promise(setImmediate);
    expect(stopped).toHaveBeenCalledTimes(1);
  });

  it('leaves no rejection unhandled when the only stream gives up while it waits', async () => {
    const unhandled = jest.fn();
    process.on('unhandledRejection', unhandled);
    const slot = streams.take({ caller: null } as unknown as Call);
    const listening = streams.listen().catch(() => 'failed');
    slot.leave();
    expect(await listening).toBe('failed');
    await new Promise(setImmediate);
    process.off('unhandledRejection', unhandled);
    expect(unhandled).not.toHaveBeenCalled();
  });
});
