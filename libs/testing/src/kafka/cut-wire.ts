import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { connect as connectSecurely } from 'node:tls';
import type { ISocketFactory } from 'kafkajs';

/**
 * The way from one process to the brokers, which a test can cut: to the brokers the process is then dead, though it
 * runs on.
 */
export class CutWire {
  private readonly sockets = new Set<Socket>();
  private cut = false;

  readonly socketFactory: ISocketFactory = ({ host, port, ssl, onConnect }) => {
    const socket = ssl ? connectSecurely({ host, port, ...ssl }, onConnect) : connect({ host, port }, onConnect);
    this.sockets.add(socket);
    socket.once('close', () => this.sockets.delete(socket));
    if (this.cut) socket.destroy(new Error('the wire is cut'));
    return socket;
  };

  /** Everything that is open breaks, and nothing opens until it is mended. */
  break(): void {
    this.cut = true;
    for (const socket of this.sockets) socket.destroy(new Error('the wire is cut'));
  }

  mend(): void {
    this.cut = false;
  }
}
