import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import type { ConnectionGuard } from '../load-shedding/connection-guard';

/**
 * Closes each connection of a server that stops once it has no request in progress, and after `requestMs` those whose
 * request is still incomplete. Node itself closes only connections that are idle at that moment, and no longer enforces
 * the time-outs for headers and requests.
 */
export function drain(server: Server, { connections }: ConnectionGuard, requestMs: number): void {
  const closeUnused = (socket: Socket): void => {
    if (!connections.get(socket)?.responses.size) socket.destroySoon();
  };
  server.on('connection', closeUnused);
  for (const [socket, { responses }] of connections) {
    closeUnused(socket);
    for (const response of responses) response.once('close', () => closeUnused(socket));
  }
  // The timers of the process have been stopped by now.
  void pause(requestMs, undefined, { ref: false }).then(() => {
    for (const [socket, { responses }] of connections)
      if ([...responses].some(({ req }) => !req.complete)) socket.destroy();
  });
}
