import { Readable } from 'node:stream';
import type { FastifyReply } from 'fastify';

/** As much as a caller has to read in the time of `writeStallMs`. */
export const PIECE_BYTES = 64 * 1024;

/**
 * A large response as a stream of pieces: only whole pieces show whether its caller reads. Other connections have their turn after each piece, as the
 * kernel takes megabytes for a caller that reads nothing.
 */
export function inPieces(content: string | Buffer): Readable {
  const bytes = typeof content === 'string' ? Buffer.from(content) : content;
  let at = 0;
  return new Readable({
    highWaterMark: PIECE_BYTES,
    read() {
      setImmediate(() => {
        const piece = bytes.subarray(at, at + PIECE_BYTES);
        at += piece.length;
        this.push(piece.length > 0 ? piece : null);
      });
    },
  });
}

/** Sends a response that may be large. What fits into one piece is sent at once. */
export const sendInPieces = (reply: FastifyReply, content: Buffer): FastifyReply =>
  content.length <= PIECE_BYTES
    ? reply.send(content)
    : reply.header('content-length', content.length).send(inPieces(content));
