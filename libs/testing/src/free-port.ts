import { createServer } from 'node:net';

/** A port of loopback that no one listens on at this moment. */
export function freePort(): Promise<number> {
  return new Promise((resolve, failed) => {
    const server = createServer()
      .once('error', failed)
      .listen(0, '127.0.0.1', () => {
        const address = server.address();
        server.close(() =>
          typeof address === 'object' && address ? resolve(address.port) : failed(new Error('no free port')),
        );
      });
  });
}

/** So many, each another. */
export async function freePorts(count: number): Promise<number[]> {
  const ports = new Set<number>();
  while (ports.size < count) ports.add(await freePort());
  return [...ports];
}
