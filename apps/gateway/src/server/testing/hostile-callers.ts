import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

/** How the callers misbehave. */
export interface Attack {
  readonly connections: number;
  /** Sent immediately on each connection. */
  readonly opening: string;
  /** Sent after the opening, one character at a time. */
  readonly trickle?: string;
  readonly everyMs?: number;
  /** The bytes read each time. With 0 nothing is ever read; if absent, everything is read at once. */
  readonly readBytes?: number;
}

interface AttackResult {
  /**
   * The number of connections known to be closed, by the status that they received first, or `nothing`. A caller that
   * does not read does not notice.
   */
  readonly closed: Readonly<Record<string, number>>;
  readonly open: number;
}

/** A running attack. It has its own thread, so that it takes no time from the server's event loop. */
export interface HostileCallers {
  /** The result so far. */
  result(): Promise<AttackResult>;
  stop(): Promise<void>;
}

/** The program of the thread, started from its source text. */
function program(load: (name: string) => unknown): void {
  const { connect } = load('node:net') as typeof import('node:net');
  const { parentPort, workerData } = load('node:worker_threads') as typeof import('node:worker_threads');
  const { port, attack } = workerData as { port: number; attack: Attack };
  const { connections, opening, trickle = '', everyMs = 100, readBytes } = attack;
  const closed: Record<string, number> = {};
  let [open, opened] = [0, 0];
  for (let count = 0; count < connections; count += 1) {
    let first = '';
    const buffer = Buffer.alloc(readBytes && readBytes > 0 ? readBytes : 65_536);
    const socket = connect({
      port,
      host: '127.0.0.1',
      onread: {
        buffer,
        callback: (bytes, chunk) => {
          if (first === '') first = Buffer.from(chunk.buffer, chunk.byteOffset, bytes).toString('latin1', 9, 12);
          if (readBytes !== undefined) {
            socket.pause();
            if (readBytes > 0) setTimeout(() => socket.resume(), everyMs);
          }
          return true;
        },
      },
    });
    socket.on('connect', () => {
      open += 1;
      opened += 1;
      if (readBytes === 0) socket.pause();
      socket.write(opening);
      let at = 0;
      const timer = setInterval(() => {
        if (at < trickle.length && socket.writable) socket.write(trickle.charAt(at++));
      }, everyMs);
      socket.on('close', () => clearInterval(timer));
      if (opened === connections) parentPort?.postMessage('opened');
    });
    socket.on('error', () => undefined);
    socket.on('end', () => socket.destroy());
    socket.on('close', () => {
      open -= 1;
      const name = first === '' ? 'nothing' : first;
      closed[name] = (closed[name] ?? 0) + 1;
    });
  }
  parentPort?.on('message', () => parentPort?.postMessage({ closed, open }));
}

/** Opens the connections and starts the attack. Resolves when all are open. */
export async function startAttack(port: number, attack: Attack): Promise<HostileCallers> {
  const worker = new Worker(`(${program.toString()})(require)`, { eval: true, workerData: { port, attack } });
  await once(worker, 'message');
  return {
    async result() {
      worker.postMessage('result');
      const [result] = (await once(worker, 'message')) as [AttackResult];
      return result;
    },
    async stop() {
      await worker.terminate();
    },
  };
}
