import { createServer } from 'node:http';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';

/** A request as it was received. */
export interface Arrived {
  readonly method: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  readonly at: number;
}

/** Responds to one request, in any way that a server on the internet may. */
export type Behaviour = (response: ServerResponse, request: Arrived) => void;

/** A server that responds to each request with the next behaviour of a script and repeats the last one. */
export class ScriptedServer {
  readonly arrived: Arrived[] = [];
  private script: Behaviour[] = [];
  private readonly sockets = new Set<Socket>();
  private readonly server = createServer((request, response) => void this.handle(request, response));

  async start(): Promise<this> {
    this.server.on('connection', (socket) => {
      this.sockets.add(socket);
      socket.on('close', () => this.sockets.delete(socket));
    });
    await new Promise<void>((resolve) => this.server.listen(0, '127.0.0.1', resolve));
    return this;
  }

  get baseUrl(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Replaces the script and clears the received requests. */
  behave(...script: Behaviour[]): void {
    this.script = script;
    this.arrived.length = 0;
  }

  async stop(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    await new Promise((resolve) => this.server.close(resolve));
  }

  private async handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { method = '', url = '', headers } = request;
    const arrived = { method, url, headers, body: Buffer.concat(chunks), at: Date.now() };
    this.arrived.push(arrived);
    const behaviour = this.script.length > 1 ? this.script.shift() : this.script[0];
    behaviour?.(response, arrived);
  }
}

/** Responds with JSON, a status and headers. */
export const json =
  (body: unknown, status = 200, headers: Record<string, string> = {}): Behaviour =>
  (response) => {
    response.writeHead(status, { 'content-type': 'application/json', 'x-request-id': 'request-1', ...headers });
    response.end(JSON.stringify(body));
  };

/** Responds with an error of the API. */
export const refusal = (
  status: number,
  code: string,
  headers: Record<string, string> = {},
  details: unknown[] = [],
): Behaviour => json({ error: { type: 'validation', code, message: `It is ${code}.`, details } }, status, headers);

/** Closes the connection without a response. */
export const cut: Behaviour = (response) => void response.socket?.destroy();

/** Keeps the connection open without a response. */
export const silence: Behaviour = () => undefined;

/** What a stream does next. */
type Step = (response: ServerResponse) => void;
/** An event stream that takes one step each time this many milliseconds have passed. */
export const streamEvery =
  (milliseconds: number, ...steps: Step[]): Behaviour =>
  (response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.flushHeaders();
    steps.forEach((step, index) => setTimeout(() => step(response), milliseconds * index));
  };
/** An event stream that takes its steps quickly. */
export const stream = (...steps: Step[]): Behaviour => streamEvery(10, ...steps);
export const write =
  (text: string): Step =>
  (response) =>
    void response.write(text);
export const end: Step = (response) => void response.end();
export const destroy: Step = (response) => void response.socket?.destroy();
