import type { Server } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';
import type { ReceivedWebhook } from '../../demo/webhook-receiver';

interface Delivered {
  readonly webhookIds: Set<string>;
  readonly bodies: Set<string>;
  times: number;
}

/**
 * A partner's webhook receiver. It records how often each event arrived, under which `webhook-id`, and when each order
 * was reported as completed.
 */
export class Listener {
  /** By event id. */
  readonly delivered = new Map<string, Delivered>();
  /** Epoch milliseconds by order id. */
  readonly completed = new Map<string, number>();
  /** The event types received, by resource id. */
  readonly told = new Map<string, Set<string>>();
  /** Events that arrived for the first time after a later event of the same resource. */
  readonly overtaken: string[] = [];
  /** Requests without a valid signature, with the reason. */
  readonly refused: string[] = [];
  private verifier: Webhook | undefined;
  /** The highest sequence received, by resource id. */
  private readonly sequences = new Map<string, number>();

  private constructor(private readonly server: Server) {}

  static async start(): Promise<Listener> {
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const listener = new Listener(server);
    server.on('request', (request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () =>
        response.writeHead(listener.receive(Buffer.concat(chunks), request.headers) ? 200 : 401).end(),
      );
    });
    return listener;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/webhooks`;
  }

  /** Sets the secret that the creation of the endpoint returned. */
  useSecret(secret: string): void {
    this.verifier = new Webhook(secret);
  }

  close(): Promise<void> {
    return new Promise((resolve) => {
      this.server.close(() => resolve());
      this.server.closeAllConnections();
    });
  }

  private receive(body: Buffer, headers: NodeJS.Dict<string | string[]>): boolean {
    let event: ReceivedWebhook;
    try {
      if (!this.verifier) throw new Error('the secret is not known yet');
      event = this.verifier.verify(body, headers as Record<string, string>) as ReceivedWebhook;
    } catch (error) {
      this.refused.push(
        `webhook ${String(headers['webhook-id'])} of ${String(headers['webhook-timestamp'])}, ${body.length} bytes, came at ${Math.floor(Date.now() / 1_000)}: ${error instanceof Error ? error.message : typeof error}`,
      );
      return false;
    }
    if (!this.delivered.has(event['event-id'])) this.noteOrder(event);
    const one = this.delivered.get(event['event-id']) ?? { webhookIds: new Set(), bodies: new Set(), times: 0 };
    one.times += 1;
    one.webhookIds.add(String(headers['webhook-id']));
    one.bodies.add(body.toString('utf8'));
    this.delivered.set(event['event-id'], one);
    const kinds = this.told.get(event['resource-id']) ?? new Set();
    this.told.set(event['resource-id'], kinds.add(event['event-type']));
    if (event['event-type'] === 'order-completed' && !this.completed.has(event['resource-id']))
      this.completed.set(event['resource-id'], Date.now());
    return true;
  }

  private noteOrder({ 'resource-id': resourceId, 'event-type': type, sequence }: ReceivedWebhook): void {
    const highest = this.sequences.get(resourceId) ?? 0;
    if (sequence < highest) this.overtaken.push(`${type} of ${resourceId}, ${sequence} after ${highest}`);
    else this.sequences.set(resourceId, sequence);
  }
}
