import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { errorCodes } from 'fastify';
import type { FastifyRequest, RequestPayload } from 'fastify';
import { ApiError } from '../errors/api-error';

/**
 * Reads a body with a file into the memory reserved for it, then waits for its turn. The parsers receive it as one
 * chunk. Throws Fastify's error for a body that is too large, and `service-unavailable` if the wait took too long.
 */
export async function readUpload(
  request: FastifyRequest,
  payload: RequestPayload,
  now: () => number,
): Promise<RequestPayload> {
  const { call } = request;
  const room = call.upload;
  // Fastify refuses a length above the limit before it reads.
  if (!room || Number(request.headers['content-length'] ?? 0) > (call.policy?.bodyLimit ?? Infinity)) return payload;
  const body = await collected(payload, room.limit);
  if (!(await room.turn())) throw new ApiError('service-unavailable');
  // The time for receiving the body and waiting does not count against the services' deadline.
  call.deadlineFrom = now();
  return Readable.from([body], { objectMode: false });
}

/** Collects at most `limit` bytes. The buffer occupies physical memory only as it is filled. */
function collected(payload: RequestPayload, limit: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const body = Buffer.allocUnsafeSlow(limit);
    let length = 0;
    const end = (outcome: () => void): void => {
      payload.off('data', take).off('end', complete).off('error', reject).off('close', gone);
      outcome();
    };
    const take = (chunk: Buffer): void => {
      if (length + chunk.length > limit) {
        payload.pause();
        end(() => reject(new errorCodes.FST_ERR_CTP_BODY_TOO_LARGE()));
        return;
      }
      length += chunk.copy(body, length);
    };
    const complete = (): void => end(() => resolve(body.subarray(0, length)));
    const gone = (): void => end(() => reject(new ApiError('malformed-json')));
    if ((payload as Partial<IncomingMessage>).destroyed) return gone();
    payload.on('data', take).on('end', complete).on('error', reject).on('close', gone);
    payload.resume();
  });
}
