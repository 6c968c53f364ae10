// The ports of the broker.
import { randomInt } from 'node:crypto';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { connect, createServer } from 'node:net';
import { join } from 'node:path';

/**
 * Finds a free port below the system's ephemeral ports, so that no outgoing connection takes it while the broker
 * restarts.
 */
async function freePort() {
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const port = randomInt(10_000, 32_768);
    if (await canListen(port)) return port;
  }
  throw new Error('no free port was found');
}

const canListen = (port) =>
  new Promise((done) => {
    const server = createServer()
      .once('error', () => done(false))
      .listen(port, '127.0.0.1', () => server.close(() => done(true)));
  });

/**
 * Returns the ports of the broker and its controller, free ones by default. They are stored with the data, so that a
 * restarted broker has the same address.
 */
export async function places(data, wanted, controller) {
  const file = join(data, 'ports.json');
  if (existsSync(file)) return JSON.parse(readFileSync(file, 'utf8'));
  const made = { broker: wanted || (await freePort()), controller: controller ?? (await freePort()) };
  writeFileSync(file, JSON.stringify(made));
  return made;
}

/** Whether a program accepts connections on a port. */
export const answers = (port) =>
  new Promise((done) => {
    const socket = connect({ port, host: '127.0.0.1' });
    const tell = (heard) => {
      socket.destroy();
      done(heard);
    };
    socket.once('connect', () => tell(true)).once('error', () => tell(false));
  });
