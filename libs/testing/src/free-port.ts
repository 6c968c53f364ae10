import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * Below the ports of outgoing connections (Linux: from 32768, others: from 49152), which could take the port of a
 * server while it restarts.
 */
const PORTS = { from: 10_000, below: 32_768 } as const;
const ATTEMPTS = 100;

/** A port of the loopback interface that is free now and not used for outgoing connections. */
export async function freePort(): Promise<number> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
    const port = randomInt(PORTS.from, PORTS.below);
    if (await canListen(port)) return port;
  }
  throw new Error(`no free port was found in ${ATTEMPTS} attempts`);
}

/** Returns this many different free ports. */
export async function freePorts(count: number): Promise<number[]> {
  const ports = new Set<number>();
  while (ports.size < count) ports.add(await freePort());
  return [...ports];
}

async function canListen(port: number): Promise<boolean> {
  const server = createServer();
  try {
    await once(server.listen(port, '127.0.0.1'), 'listening');
  } catch {
    return false;
  }
  server.close();
  await once(server, 'close');
  return true;
}
