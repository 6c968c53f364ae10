import type { ServerWritableStream } from '@grpc/grpc-js';
import type { ReadReq, ReadResp } from '@eventstore/db-client/generated/streams_pb';
import type { Entry } from './wire';

/** Events go out as they were encoded when they were appended, everything else as a message. */
export type ReadReply = ReadResp | Buffer;
export type ReadCall = ServerWritableStream<ReadReq, ReadReply>;

/** Indices from `first` to before `end`, of which `at` knows the events; a gap has none. */
export interface Source {
  readonly start: number;
  readonly first: number;
  readonly end: () => number;
  readonly at: (index: number) => Entry | undefined;
  /** The stream's name when it shows no event. */
  readonly missing?: string;
  /** The stream's name when it has a tombstone. */
  readonly deleted?: string;
}

/** A subscription begins behind the place it names, a read at it. */

/** Waits for a slow reader, until it goes away. */
export async function send(call: ReadCall, reply: ReadReply): Promise<void> {
  if (call.write(reply) || call.cancelled) return;
  await new Promise<void>((resolve) => {
    const done = (): void => {
      for (const event of ['drain', 'cancelled', 'error', 'close']) call.off(event, done);
      resolve();
    };
    for (const event of ['drain', 'cancelled', 'error', 'close']) call.on(event, done);
  });
}
