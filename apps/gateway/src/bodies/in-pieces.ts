import { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { FastifyReply } from 'fastify';

/** The number of bytes that a caller must read within `writeStallMs`. */
export const PIECE_BYTES = 64 * 1024;

/**
 * A large response as a stream of pieces, because only completed writes show whether the caller reads. Other
 * connections get their turn after each piece, because the kernel buffers megabytes for a caller that reads nothing.
 */
export const inPieces = (content: Buffer): Readable =>
  Readable.from(piecesOf(content), { objectMode: false, highWaterMark: PIECE_BYTES });

async function* piecesOf(content: Buffer): AsyncGenerator<Buffer> {
  for (let at = 0; at < content.length; at += PIECE_BYTES) {
    await nextTurn();
    yield content.subarray(at, at + PIECE_BYTES);
  }
}

/** Sends a response that may be large. A response that fits into one piece is sent at once. */
export const sendInPieces = (reply: FastifyReply, content: Buffer): FastifyReply =>
  content.length <= PIECE_BYTES
    ? reply.send(content)
    : reply.header('content-length', content.length).send(inPieces(content));
