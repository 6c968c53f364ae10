import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

/** What is still to be done for the requests of each connection. */
const open = new WeakMap<Socket, Set<() => void>>();

/**
 * Runs `work` once, when the response was sent or the caller disconnected. Not left to the answer alone: of requests
 * that were sent behind one another on a connection, only the first response learns that the connection broke, and the
 * others would keep what they hold for ever.
 */
export function whenOver(request: IncomingMessage, reply: ServerResponse, work: () => void): void {
  const { socket } = request;
  const works = open.get(socket) ?? watched(socket);
  const once = (): void => {
    if (works.delete(once)) work();
  };
  works.add(once);
  // Also follows what was finished.
  reply.on('close', once);
  if (socket.destroyed) once();
}

/** One listener a connection, however many requests it carries. */
function watched(socket: Socket): Set<() => void> {
  const works = new Set<() => void>();
  open.set(socket, works);
  socket.once('close', () => {
    for (const work of works) work();
  });
  return works;
}
