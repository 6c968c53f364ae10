import { Failpoints } from '@ponte/event-sourcing';
import { startChild } from '@ponte/testing';
import { openSqliteEventStore } from './event-store';
import { file, everything, useLogFolder } from './whole-log.testing';

useLogFolder();

describe('failpoints', () => {
  const child = (spec: string) =>
    startChild(
      `
    import { writeSync } from 'node:fs';
    import { openSqliteEventStore } from './event-store';
    import { Failpoints } from '@ponte/event-sourcing';
    import { instrument } from '@ponte/kernel';
    import { eventsOf } from '../../testing/src/recorded';
    const failpoints = new Failpoints();
    failpoints.arm(process.argv[3]);
    const store = instrument(openSqliteEventStore({ file: process.argv[2] }), [failpoints.decorator]);
    (async () => {
      for (let at = 0; at < 5; at += 1) {
        await store.append('order-' + at, -1, eventsOf('command' + at, {}));
        writeSync(1, at + '\\n');
      }
      await store.close();
    })();
  `,
      __dirname,
      [file, spec],
      { NODE_ENV: 'test' },
    );

  test.each([
    ['before:SomethingHappened', 'SIGKILL', 0, 0],
    ['after:SomethingHappened', 'SIGKILL', 0, 1],
    ['before:SomethingHappened:3', 'SIGKILL', 2, 2],
    ['after:SomethingHappened:3', 'SIGKILL', 2, 3],
    ['after:SomethingElse', 0, 5, 5],
  ])('%s ends with %s, with %i appends answered and %i in the log', async (spec, ending, answered, kept) => {
    const running = child(spec);
    const lines: string[] = [];
    for await (const line of running.lines) lines.push(line);
    expect(await running.ended).toBe(ending);
    const store = openSqliteEventStore({ file });
    expect([lines.length, (await everything(store)).length]).toEqual([answered, kept]);
    await store.close();
  });

  test('are refused in production or if invalid', () => {
    expect(() => new Failpoints().arm('sometimes:OrderPlaced')).toThrow('not a failpoint');
    const before = process.env['NODE_ENV'];
    process.env['NODE_ENV'] = 'production';
    try {
      expect(() => new Failpoints()).toThrow('cannot be used in production');
    } finally {
      process.env['NODE_ENV'] = before;
    }
  });
});
