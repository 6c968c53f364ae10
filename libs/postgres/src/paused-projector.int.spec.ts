import { describeOnRealEngine, eventually, startChild } from '@ponte/testing';
import { countEvents, EVENTS } from './paused-projector.testing';
import { logger, postgresUnderTest, schemaOf, server, TIMES } from './postgres-under-test.testing';

/** Counts slowly. Prints when it has begun, and when another process has its lease. */
const COUNTER = `
  import { countEvents } from './paused-projector.testing';
  const [url, schema, times] = process.argv.slice(2);
  const logger = { warn: () => undefined, error: () => undefined };
  void (async () => {
    const { projector, counted } = await countEvents(url, schema, { slowMs: 5, times: JSON.parse(times), logger });
    const until = async (is) => { while (!(await is())) await new Promise((resolve) => setTimeout(resolve, 5)); };
    await until(async () => (await counted()) >= 10);
    console.log('began');
    await until(() => !projector.holds());
    console.log('replaced');
  })();
`;

describeOnRealEngine('PostgreSQL, with a projector that is paused', () => {
  postgresUnderTest('PostgreSQL paused projector');

  test('a twin continues where it was paused, at whatever moment; when it continues, it counts nothing twice', async () => {
    for (let round = 0; round < 3; round += 1) {
      const schema = schemaOf();
      const paused = startChild(COUNTER, __dirname, [server.url, schema, JSON.stringify(TIMES)]);
      const lines = paused.lines[Symbol.asyncIterator]();
      expect((await lines.next()).value).toBe('began');
      paused.kill('SIGSTOP');
      const twin = await countEvents(server.url, schema, { slowMs: 0, times: TIMES, logger });
      await twin.projector.caughtUp;
      await eventually(async () => expect(await twin.counted()).toBe(EVENTS));
      paused.kill('SIGCONT');
      expect((await lines.next()).value).toBe('replaced');
      expect(await twin.counted()).toBe(EVENTS);
      paused.kill('SIGKILL');
      await paused.ended;
      expect(await twin.counted()).toBe(EVENTS);
      await twin.close();
    }
  }, 120_000);
});
