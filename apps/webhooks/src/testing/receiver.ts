import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { WEBHOOK_EVENT_TYPES } from '@ponte/contracts';
import { payloadFaults } from '@ponte/testing';
import { Webhook } from 'standardwebhooks';

/** A request as received by a partner's server, verified with the official library. */
interface Heard {
  readonly path: string;
  readonly id: string;
  readonly verified: boolean;
  readonly body: { readonly [member: string]: unknown; readonly payload: Readonly<Record<string, unknown>> };
  readonly headers: IncomingMessage['headers'];
  /** Status of the response, 0 for no response. */
  readonly status: number;
}

/** How a path responds: with a status, at once or `after` something; never; or by closing the connection. */
type Behaviour =
  | {
      readonly status: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly endless?: boolean;
      readonly after?: Promise<void>;
    }
  | 'hang'
  | 'drop';

/** A partner's server on the loopback interface, whose responses the test defines. */
export class Receiver {
  readonly heard: Heard[] = [];
  /** Payload fields that violate the definition of their event type. */
  readonly faults: string[] = [];
  /** By path; the default is 200. */
  readonly behaviours = new Map<string, Behaviour>();
  readonly secrets = new Map<string, string>();
  /** Requests that currently wait for a response and their highest number, by path. */
  readonly open = new Map<string, { now: number; most: number }>();

  private constructor(private readonly server: Server) {}

  static async listen(): Promise<Receiver> {
    const server = createServer();
    const receiver = new Receiver(server);
    server.on('request', (request, response) => receiver.receive(request, response));
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    return receiver;
  }

  url(path: string): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}${path}`;
  }

  /** Requests of a path that were answered with 200, oldest first. */
  delivered(path: string): Heard[] {
    return this.heard.filter((one) => one.path === path && one.status === 200);
  }
  at(path: string): Heard[] {
    return this.heard.filter((one) => one.path === path);
  }

  async close(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise<void>((resolve) => {
      this.server.close(() => resolve());
    });
  }

  private receive(request: IncomingMessage, response: ServerResponse): void {
    const path = request.url ?? '';
    const open = this.open.get(path) ?? { now: 0, most: 0 };
    this.open.set(path, { now: open.now + 1, most: Math.max(open.most, open.now + 1) });
    response.on('close', () => {
      const connections = this.open.get(path);
      if (connections) connections.now -= 1;
    });
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => this.answer(path, Buffer.concat(parts).toString('utf8'), request, response));
  }

  private answer(path: string, text: string, { headers }: IncomingMessage, response: ServerResponse): void {
    const behaviour = this.behaviours.get(path) ?? { status: 200 };
    const status = typeof behaviour === 'string' ? 0 : behaviour.status;
    const body = JSON.parse(text) as Heard['body'];
    this.check(body);
    this.heard.push({
      path,
      id: String(headers['webhook-id']),
      verified: this.verifies(path, text, headers),
      body,
      headers,
      status,
    });
    if (behaviour === 'hang') return;
    if (behaviour === 'drop') return void response.destroy();
    const respond = (): void => {
      response.writeHead(behaviour.status, behaviour.headers);
      if (behaviour.endless) response.write('x'.repeat(1000));
      else response.end('thank you');
    };
    if (behaviour.after) void behaviour.after.then(respond);
    else respond();
  }

  private check(body: Heard['body']): void {
    const type = WEBHOOK_EVENT_TYPES.find((one) => one === body['event-type']);
    if (type) this.faults.push(...payloadFaults(type, body.payload).map((fault) => `${type}: ${fault}`));
  }

  private verifies(path: string, text: string, headers: IncomingMessage['headers']): boolean {
    try {
      new Webhook(this.secrets.get(path) ?? '').verify(text, headers as Record<string, string>);
      return true;
    } catch {
      return false;
    }
  }
}
