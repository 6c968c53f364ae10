import type { Server, Socket } from 'node:net';
import { connect, createServer } from 'node:net';
import { once } from 'node:events';

/** `replies`: requests take effect, but the client gets no reply. `everything`: requests do not arrive either. */
export type Silence = 'replies' | 'everything';

interface Connection {
  readonly client: Socket;
  readonly server: Socket;
  /** Bytes that the client may still receive before the connection is reset. */
  allowance: number;
}

const LOOPBACK = '127.0.0.1';

/**
 * A proxy between clients and the test server that simulates network faults. Bytes held back by a silence are not lost.
 */
export class WireProxy {
  private readonly connections = new Set<Connection>();
  private listener: Server | undefined;
  private silent: Silence | undefined;
  /** Port that clients connect to; the same after every `listen`. */
  port = 0;

  constructor(private readonly target: () => number) {}

  async listen(port = this.port): Promise<void> {
    if (this.listener) return;
    const listener = createServer((client) => this.accept(client));
    this.listener = listener.listen(port, LOOPBACK);
    await once(listener, 'listening');
    const address = listener.address();
    this.port = typeof address === 'object' && address ? address.port : port;
  }

  /** Refuses new connections and resets the existing ones. */
  async refuse(): Promise<void> {
    const { listener } = this;
    this.listener = undefined;
    this.reset();
    if (!listener) return;
    listener.close();
    await once(listener, 'close');
  }

  silence(kind: Silence): void {
    this.silent = kind;
    for (const connection of this.connections) this.hold(connection);
  }

  /** Ends a silence and delivers what was held back. */
  speak(): void {
    this.silent = undefined;
    for (const { client, server } of this.connections) {
      client.resume();
      server.resume();
    }
  }

  /** Resets each existing connection after this many more bytes have reached its client, in the middle of a reply. */
  cutAfter(bytes: number): void {
    for (const connection of this.connections) {
      connection.allowance = bytes;
      if (bytes === 0) this.drop(connection);
    }
  }

  reset(): void {
    for (const connection of this.connections) this.drop(connection);
  }

  private accept(client: Socket): void {
    const server = connect(this.target(), LOOPBACK);
    const connection: Connection = { client, server, allowance: Infinity };
    this.connections.add(connection);
    const drop = (): void => this.drop(connection);
    for (const socket of [client, server]) socket.setNoDelay(true).on('error', drop).on('close', drop);
    client.on('data', (chunk: Buffer) => {
      if (!server.write(chunk)) pauseUntilDrained(client, server, () => this.silent === 'everything');
    });
    server.on('data', (chunk: Buffer) => this.reply(connection, chunk));
    if (this.silent) this.hold(connection);
  }

  private reply(connection: Connection, chunk: Buffer): void {
    const { client, server } = connection;
    if (chunk.length >= connection.allowance) {
      client.write(chunk.subarray(0, connection.allowance), () => this.drop(connection));
      connection.allowance = 0;
      return;
    }
    connection.allowance -= chunk.length;
    if (!client.write(chunk)) pauseUntilDrained(server, client, () => this.silent !== undefined);
  }

  private hold({ client, server }: Connection): void {
    server.pause();
    if (this.silent === 'everything') client.pause();
  }

  private drop(connection: Connection): void {
    if (!this.connections.delete(connection)) return;
    connection.client.resetAndDestroy();
    connection.server.resetAndDestroy();
  }
}

function pauseUntilDrained(from: Socket, to: Socket, held: () => boolean): void {
  from.pause();
  to.once('drain', () => {
    if (!held()) from.resume();
  });
}
