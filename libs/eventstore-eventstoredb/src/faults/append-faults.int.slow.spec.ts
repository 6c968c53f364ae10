import { AppendOutcomeUnknown, EventStoreUnavailable, NO_STREAM } from '@ponte/event-sourcing';
import { anEvent, eventsOf, eventually, freshId, startEsdbServer } from '@ponte/testing';
import { endings, start, open, following, numbers, counted, endsServers } from './faulty-servers.testing';

endsServers();

test('many reads of existing and missing streams keep their connection: none of them ends with a reset', async () => {
  // Node's own HTTP/2 server closes a connection after a thousand resets in a burst.
  const MANY = 1_500;
  const server = await startEsdbServer({ faulty: false });
  endings.push(() => server.stop());
  const store = await open(server.connectionString);
  await store.append('there-1', NO_STREAM, anEvent());
  const found: number[] = [];
  for (let at = 0; at < MANY; at += 50)
    found.push(
      ...(
        await Promise.all(
          Array.from({ length: 50 }, (_, one) => store.read(one === 0 ? 'there-1' : `absent-${at + one}`)),
        )
      ).map((events) => events.length),
    );
  expect(found.filter((length) => length > 0)).toHaveLength(MANY / 50);
});

describe('an append with an unknown outcome is resolved by repeating it with the same ids at the same revision', () => {
  test.each(['everything', 'replies'] as const)(
    'for a server that loses %s: unknown at the deadline, written once in the end',
    async (kind) => {
      const server = await start();
      const store = await open(server.connectionString, { appendMs: 300 });
      const stream = `quiet-${freshId()}`;
      // The first append connects, which may take longer than this on a busy machine, so it is repeated.
      const first = anEvent();
      await eventually(() => store.append(stream, NO_STREAM, first));
      server.faults.silence(kind);
      const events = eventsOf(freshId(), { at: 1 }, { at: 2 });
      await expect(store.append(stream, 0, events)).rejects.toThrow(AppendOutcomeUnknown);
      await server.faults.heal();
      const patient = await open(server.connectionString);
      expect(await patient.append(stream, 0, events)).toMatchObject({ revision: 2 });
      expect(await eventually(() => store.append(stream, 0, events))).toMatchObject({ revision: 2 });
      expect(await store.read(stream)).toHaveLength(3);
    },
  );

  test.each([0, 1, 8, 9, 17, 25, 40])(
    'for a connection that is reset %i bytes into the reply, after the effect',
    async (bytes) => {
      const server = await start();
      const store = await open(server.connectionString);
      const stream = `cut-${freshId()}`;
      await store.append(stream, NO_STREAM, anEvent());
      server.faults.cutNextReply(bytes);
      const events = eventsOf(freshId(), { at: 1 }, { at: 2 });
      await expect(store.append(stream, 0, events)).rejects.toThrow(AppendOutcomeUnknown);
      const answer = await eventually(() => store.append(stream, 0, events));
      const read = await store.read(stream);
      expect(answer).toEqual({ revision: 2, position: read[2]?.position });
      expect(read).toHaveLength(3);
    },
  );

  test('for an absent server: certainly not written, and the same client works once the server is back', async () => {
    const server = await start();
    const store = await open(server.connectionString);
    const stream = `refused-${freshId()}`;
    await store.append(stream, NO_STREAM, anEvent());
    await server.faults.refuse();
    await eventually(async () => {
      await expect(store.append(stream, 0, anEvent())).rejects.toThrow(EventStoreUnavailable);
    });
    await expect(store.read(stream)).rejects.toThrow(EventStoreUnavailable);
    await expect(store.head()).rejects.toThrow(EventStoreUnavailable);
    await server.faults.heal();
    const events = anEvent();
    await eventually(() => store.append(stream, 0, events));
    expect(await eventually(() => store.read(stream))).toHaveLength(2);
  });

  test('for a cluster whose nodes do not answer discovery: nothing was sent, so nothing was written', async () => {
    const server = await start();
    server.faults.silence();
    const store = await open(server.connectionString.replace('esdb:', 'esdb+discover:'), { appendMs: 200 });
    await expect(store.append('unknown-1', NO_STREAM, anEvent())).rejects.toThrow(EventStoreUnavailable);
  });

  test('appends that wait behind an unanswered one are refused at their own deadlines', async () => {
    const server = await start();
    const store = await open(server.connectionString, { appendMs: 1_000 });
    const stream = `queue-${freshId()}`;
    const begun = anEvent();
    // The time of a first append on a busy machine must not count as silence.
    await eventually(() => store.append(stream, NO_STREAM, begun));
    server.faults.silence();
    const [first, ...later] = await Promise.allSettled(counted(5).map(() => store.append(stream, 0, anEvent())));
    expect(first).toMatchObject({ reason: { name: 'AppendOutcomeUnknown' } });
    for (const one of later) expect(one).toMatchObject({ reason: { name: 'EventStoreUnavailable' } });
  });
});

describe('over separate connections,', () => {
  test('a server that dies with appends in progress does not fail those of another store in the process', async () => {
    const [dying, living] = [await start(), await start()];
    const [one, other] = [await open(dying.connectionString), await open(living.connectionString)];
    await Promise.all([
      one.append(`a-${freshId()}`, NO_STREAM, anEvent()),
      other.append(`a-${freshId()}`, NO_STREAM, anEvent()),
    ]);
    dying.faults.silence('replies');
    const lost = counted(50).map(() => one.append(`b-${freshId()}`, NO_STREAM, anEvent()));
    const kept = counted(50).map(() => other.append(`b-${freshId()}`, NO_STREAM, anEvent()));
    dying.faults.reset();
    const outcomes = await Promise.allSettled([...lost, ...kept]);
    expect(outcomes.slice(50).every(({ status }) => status === 'fulfilled')).toBe(true);
    expect(outcomes.slice(0, 50).every(({ status }) => status === 'rejected')).toBe(true);
    expect(living.calls).toMatchObject({ batchAppend: 0, append: 51 });
  });

  test('a dropped subscription does not disturb appends', async () => {
    const server = await start();
    const store = await open(server.connectionString);
    const category = `kind${freshId()}`;
    const seen = following(store, { categories: [category] });
    const appends = counted(60).map(async (at) => {
      await store.append(`${category}-${at}`, NO_STREAM, anEvent({ at }));
      if (at % 20 === 0) server.faults.dropSubscriptions();
    });
    await Promise.all(appends);
    await eventually(() => expect(numbers(seen).sort()).toEqual(counted(60).sort()));
  });
});
