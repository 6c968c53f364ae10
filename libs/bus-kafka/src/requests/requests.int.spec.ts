import { randomUUID } from 'node:crypto';
import { Unavailable } from '@ponte/kernel';
import { CutWire, describeOnRealEngine, eventually } from '@ponte/testing';
import { SERVICE } from '../cluster.testing';
import {
  REPLACED_MS,
  PATIENT_MS,
  Ask,
  context,
  broker,
  cluster,
  brokerUnderTest,
  answering,
  asking,
} from '../broker-under-test.testing';

describeOnRealEngine('Kafka, requests and replies', () => {
  brokerUnderTest();

  describe('reply topics', () => {
    test(
      'are deleted when their process stops, and a while after it was killed',
      async () => {
        const killed = new CutWire();
        await asking({
          instance: 'killed',
          connection: { brokers: broker.brokers, socketFactory: killed.socketFactory },
        });
        const stays = await asking({ instance: 'stays', limits: { replyTopicCleanupMs: 500 } });
        const goes = await asking({ instance: 'goes' });
        expect((await cluster.topics()).filter((topic) => topic.startsWith('replies.')).sort()).toEqual([
          'replies.asker.goes',
          'replies.asker.killed',
          'replies.asker.stays',
        ]);
        await goes.stop();
        expect(await cluster.topics()).not.toContain('replies.asker.goes');
        killed.break();
        await eventually(
          async () =>
            expect((await cluster.topics()).filter((topic) => topic.startsWith('replies.'))).toEqual([
              'replies.asker.stays',
            ]),
          REPLACED_MS,
        );
        await answering();
        expect(await stays.request(Ask, { n: 1 }, context())).toEqual({ n: 1 });
      },
      PATIENT_MS,
    );
  });

  describe('a requesting process that stops', () => {
    test(
      'deletes its reply topic without affecting the replies to other processes, including new ones',
      async () => {
        await answering();
        const goes = await asking({ instance: 'goes' });
        const stays = await asking({ instance: 'stays' });
        for (const client of [goes, stays]) expect(await client.request(Ask, { n: 1 }, context())).toEqual({ n: 1 });
        await goes.stop();
        expect(await stays.request(Ask, { n: 2 }, context())).toEqual({ n: 2 });
        const comes = await asking({ instance: 'comes' });
        expect(await comes.request(Ask, { n: 3 }, context())).toEqual({ n: 3 });
        expect(await stays.request(Ask, { n: 4 }, context())).toEqual({ n: 4 });
      },
      PATIENT_MS,
    );
  });

  test('a reply that is larger than the brokers accept by default arrives', async () => {
    const long = 'x'.repeat(4_000_000);
    const bus = cluster.bus();
    bus.handle(Ask.pattern, async (payload) => ({ ...(payload as object), long }));
    await bus.start();
    const client = await asking();
    const answers = [1, 2].map((n) => client.request(Ask, { n }, context(Date.now() + REPLACED_MS)));
    expect(await Promise.all(answers)).toEqual([1, 2].map((n) => ({ n, long })));
  });

  test('a reply that the brokers reject because it is too large becomes an error at once', async () => {
    const bus = cluster.bus();
    bus.handle(Ask.pattern, async () => ({ n: 0, long: 'x'.repeat(9 * 1_024 * 1_024) }));
    await bus.start();
    const client = await asking();
    const answer = client.request(Ask, { n: 1 }, context(Date.now() + 10 * PATIENT_MS));
    await expect(answer).rejects.toMatchObject({ name: 'Unavailable', unexpected: true });
    expect(cluster.logged.map(({ message }) => message)).toContain(
      'a reply was rejected by the brokers, for example because it is too large; the caller gets an error',
    );
  });

  test('a request past its deadline is handled by no process; a malformed request is dropped', async () => {
    const producer = cluster.client.producer();
    const client = await asking({ limits: { requestMs: 200 } });
    await expect(client.request(Ask, { n: 1 }, context())).rejects.toThrow(Unavailable);
    let executed = 0;
    const bus = cluster.bus();
    bus.handle(Ask.pattern, async (payload) => {
      executed += 1;
      return payload;
    });
    await bus.start();
    await producer.connect();
    const headers = {
      'ponte-pattern': Ask.pattern,
      'ponte-request': randomUUID(),
      'ponte-deadline': String(Date.now() + 10_000),
      'ponte-reply-to': `${SERVICE}.events`,
    };
    const value = JSON.stringify({ payload: { n: 9 }, context: { commandId: 'c', correlationId: 'c' } });
    await producer.send({
      topic: `${cluster.namespace}${SERVICE}.commands`,
      messages: [{ value: 'no request' }, { value, headers }],
    });
    await producer.disconnect();
    const patient = await asking();
    expect(await patient.request(Ask, { n: 2 }, context())).toEqual({ n: 2 });
    await eventually(() =>
      expect(cluster.logged.filter(({ message }) => message.includes('is not a request'))).toHaveLength(2),
    );
    expect(executed).toBe(1);
  });

  test('a request to a handler in the same process is a function call, unless it is forced onto the wire', async () => {
    const bus = await answering({ callOwn: true });
    expect(await bus.request(Ask, { n: 1 }, context())).toEqual({ n: 1 });
    await expect(bus.request(Ask, { n: 1 }, context(Date.now() - 1))).rejects.toThrow(Unavailable);
    expect(
      await cluster.administer((admin) => admin.fetchTopicOffsets(`${cluster.namespace}${SERVICE}.commands`)),
    ).toEqual(Array.from({ length: 4 }, () => expect.objectContaining({ high: '0' })));
  });
});
