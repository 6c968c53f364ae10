import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { connect as connectSecurely } from 'node:tls';
import type { ISocketFactory } from 'kafkajs';

/**
 * The network between one process and the brokers, which a test can cut. To the brokers, the process then seems dead
 * although it is running.
 */
export class CutWire {
  private readonly sockets = new Set<Socket>();
  private cut = false;

  readonly socketFactory: ISocketFactory = ({ host, port, ssl, onConnect }) => {
    const socket = ssl ? connectSecurely({ host, port, ...ssl }, onConnect) : connect({ host, port }, onConnect);
    this.sockets.add(socket);
    socket.once('close', () => this.sockets.delete(socket));
    if (this.cut) socket.destroy(new Error('the connection was cut by the test'));
    return socket;
  };

  /** Breaks all connections, and prevents new ones until {@link mend}. */
  break(): void {
    this.cut = true;
    for (const socket of this.sockets) socket.destroy(new Error('the connection was cut by the test'));
  }

  mend(): void {
    this.cut = false;
  }
}
