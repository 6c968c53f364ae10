import type { ServerWritableStream } from '@grpc/grpc-js';
import type { ReadReq, ReadResp } from '@eventstore/db-client/generated/streams_pb';
import type { Entry } from './wire';

/** Events are sent as they were encoded when they were appended, everything else as a message. */
export type ReadReply = ReadResp | Buffer;
export type ReadCall = ServerWritableStream<ReadReq, ReadReply>;

/** The indices from `first` up to `end` (exclusive) and their events. A gap has no event. */
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

/** Sends a reply and waits for a slow reader unless it disconnects. */
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
