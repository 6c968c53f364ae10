import { connect } from 'node:net';

interface RawAnswer {
  readonly status: number;
  readonly headers: string;
  readonly body: string;
}

const PATIENCE_MS = 20_000;

/** Sends bytes unchanged and reads the response until the server closes the connection. */
export function sendRaw(baseUrl: string, bytes: string | Buffer): Promise<RawAnswer> {
  const { hostname, port } = new URL(baseUrl);
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = [];
    const socket = connect({ host: hostname, port: Number(port) }, () => socket.write(bytes));
    socket.setTimeout(PATIENCE_MS, () =>
      socket.destroy(new Error(`no answer to ${JSON.stringify(bytes.toString().slice(0, 80))}`)),
    );
    socket.on('data', (part) => parts.push(part));
    // A server may close the connection before it has read everything; what it sent until then is the response.
    socket.on('error', (error) => {
      if (parts.length === 0) reject(error);
    });
    socket.on('close', () => resolve(parsed(Buffer.concat(parts).toString('utf8'))));
  });
}

function parsed(text: string): RawAnswer {
  const [head = '', ...rest] = text.split('\r\n\r\n');
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(head)?.[1] ?? 0);
  return { status, headers: head.toLowerCase(), body: rest.join('\r\n\r\n') };
}
