import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { StreamsClient } from '@eventstore/db-client/generated/streams_grpc_pb';
import { StreamIdentifier, UUID } from '@eventstore/db-client/generated/shared_pb';
import type { BatchAppendResp } from '@eventstore/db-client/generated/streams_pb';
import { BatchAppendReq } from '@eventstore/db-client/generated/streams_pb';
import { Metadata } from '@grpc/grpc-js';
import { Empty } from 'google-protobuf/google/protobuf/empty_pb';
import { Timestamp } from 'google-protobuf/google/protobuf/timestamp_pb';
import { eventually } from '../polling';
import { temporaryFolder } from '../temporary-folder';
import { LogFile } from './log-file';
import { ends, start, endsServers } from './started-servers.testing';

endsServers();

interface AppendOptions {
  readonly stream?: string;
  readonly type?: string;
  readonly id?: string;
  readonly until?: number;
  readonly bytes?: number;
  readonly none?: boolean;
}

function request({
  stream = `a-${randomUUID()}`,
  type = 'Counted',
  id = randomUUID(),
  until = Date.now() + 60_000,
  bytes = 2,
  none = false,
}: AppendOptions): BatchAppendReq {
  const options = new BatchAppendReq.Options()
    .setStreamIdentifier(new StreamIdentifier().setStreamName(Buffer.from(stream)))
    .setNoStream(new Empty())
    .setDeadline(Timestamp.fromDate(new Date(until)));
  const message = new BatchAppendReq.ProposedMessage()
    .setId(new UUID().setString(id))
    .setData(Buffer.alloc(bytes, 'x'));
  message.getMetadataMap().set('type', type).set('content-type', 'application/octet-stream');
  return new BatchAppendReq()
    .setCorrelationId(new UUID().setString(randomUUID()))
    .setOptions(options)
    .setProposedMessagesList(none ? [] : [message])
    .setIsFinal(true);
}

/** Opens a batch call and records its replies and how it ended. */
function batch(wire: StreamsClient) {
  const call = wire.batchAppend(new Metadata());
  const seen: { answers: BatchAppendResp[]; end?: unknown } = { answers: [] };
  call
    .on('data', (answer: BatchAppendResp) => seen.answers.push(answer))
    .on('error', (error: Error) => {
      seen.end = error;
    })
    .on('end', () => {
      seen.end ??= 'ended';
    });
  ends.push(() => call.cancel());
  return { call, seen };
}

/** Holds back everything that is written to files of logs until the returned function is called. */
function holdFlushes(): () => void {
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const { flushed } = LogFile.prototype;
  const spy = jest.spyOn(LogFile.prototype, 'flushed').mockImplementation(async function (this: LogFile) {
    await released;
    return flushed.call(this);
  });
  return () => {
    release();
    spy.mockRestore();
  };
}

describe('batch append', () => {
  test('a half-closed call ends after a reply although other appends are kept and never get one; without appends it never ends', async () => {
    const folder = temporaryFolder();
    ends.push(() => folder.remove());
    const { wire, client } = await start({ file: join(folder.path, 'esdb.log') });
    // No append is on the disk, and so none has a reply, before the server has the half-close.
    const release = holdFlushes();
    const idle = batch(wire);
    idle.call.end();
    const busy = batch(wire);
    const streams = ['busy-1', 'busy-2', 'busy-3'];
    for (const stream of streams) busy.call.write(request({ stream }));
    busy.call.end();
    const after = batch(wire);
    after.call.write(request({ type: '' }));
    await eventually(() => expect(after.seen.answers).toHaveLength(1));
    await new Promise(setImmediate);
    release();
    await eventually(() => expect(busy.seen.end).toBe('ended'));
    expect(busy.seen.answers.length).toBeLessThan(3);
    for (const stream of streams) {
      let kept = 0;
      for await (const one of client.readStream(stream)) if (one.event) kept += 1;
      expect(kept).toBe(1);
    }
    expect(idle.seen).toEqual({ answers: [] });
  });

  test('a connection has at most 100 open calls', async () => {
    const { wire } = await start();
    const calls = Array.from({ length: 100 }, () => batch(wire));
    for (const { call } of calls) {
      call.write(request({}));
      call.end();
    }
    const late = batch(wire);
    late.call.write(request({}));
    for (const { call } of calls.slice(0, 1)) call.cancel();
    await eventually(() => expect(late.seen.answers).toHaveLength(1));
  });

  test.each([
    ['after its deadline', { until: Date.now() - 6_000 }, 'event_store.client.Timeout'],
    ['without a type', { type: '' }, 'event_store.client.BadRequest'],
    ['with an id that is not a UUID', { id: 'none' }, 'event_store.client.BadRequest'],
    ['without a name', { stream: '' }, 'event_store.client.BadRequest'],
    ['beyond 1 MiB', { bytes: 1_048_577 }, 'event_store.client.MaximumAppendSizeExceeded'],
    ['without events', { none: true }, undefined],
  ] as [string, AppendOptions, string | undefined][])(
    'an append %s fails without affecting others',
    async (_, append, kind) => {
      const { wire } = await start();
      const { call, seen } = batch(wire);
      call.write(request(append));
      call.write(request({}));
      await eventually(() => expect(seen.answers).toHaveLength(2));
      expect(seen.answers.map((answer) => answer.getError()?.getDetails()?.getTypeName())).toEqual([kind, undefined]);
    },
  );

  test('a request larger than 16 MiB ends the call with code 8', async () => {
    const { wire } = await start();
    const { call, seen } = batch(wire);
    call.write(request({ bytes: 17 * 1_024 * 1_024 }));
    await eventually(() => expect(seen.end).toMatchObject({ code: 8 }));
  });
});
