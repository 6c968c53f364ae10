import type { Server, Socket } from 'node:net';
import { connect, createServer } from 'node:net';

interface Balancer {
  readonly port: number;
  close(): Promise<void>;
}

/**
 * One address for the replicas of the gateway: each connection goes to the next replica that accepts it, as with a
 * Kubernetes Service.
 */
export async function startBalancer(port: number, host: string, backends: readonly number[]): Promise<Balancer> {
  let turn = 0;
  const open = new Set<Socket>();
  const server = createServer((client) => {
    open.add(client);
    client.once('close', () => open.delete(client)).on('error', () => client.destroy());
    const first = (turn += 1);
    pass(
      client,
      host,
      backends.map((_, index) => backends[(first + index) % backends.length] as number),
    );
  });
  await listen(server, port, host);
  const address = server.address();
  return {
    port: typeof address === 'object' && address ? address.port : port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        open.forEach((socket) => socket.destroy());
      }),
  };
}

/** Connects the client to the first backend that accepts the connection. Disconnects the client if all refuse. */
function pass(client: Socket, host: string, [port, ...others]: readonly number[]): void {
  if (port === undefined) return void client.destroy();
  const backend = connect(port, host);
  backend.once('error', () => pass(client, host, others));
  backend.once('connect', () => {
    backend.removeAllListeners('error').on('error', () => client.destroy());
    client.once('close', () => backend.destroy());
    backend.once('close', () => client.destroy());
    client.pipe(backend).pipe(client);
  });
}

const listen = (server: Server, port: number, host: string): Promise<void> =>
  new Promise((resolve, reject) => {
    server.once('error', reject).listen(port, host, () => resolve());
  });
