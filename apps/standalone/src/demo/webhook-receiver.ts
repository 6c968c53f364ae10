import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Webhook } from 'standardwebhooks';

export interface ReceivedWebhook {
  readonly 'event-id': string;
  readonly 'event-type': string;
  readonly 'resource-id': string;
  readonly sequence: number;
  readonly payload: Readonly<Record<string, unknown>>;
}

export interface WebhookReceiver {
  readonly url: string;
  /** Webhooks with a valid signature in the order of arrival, each event once. */
  readonly verified: readonly ReceivedWebhook[];
  readonly refused: number;
  /** Sets the secret that the creation of the endpoint returned. */
  useSecret(secret: string): void;
  close(): Promise<void>;
}

/**
 * A partner's webhook receiver. It verifies signatures with the official Standard Webhooks library and answers 200 or
 * 401.
 */
export async function startWebhookReceiver(): Promise<WebhookReceiver> {
  const verified: ReceivedWebhook[] = [];
  const seen = new Set<string>();
  let verifier: Webhook | undefined;
  let refused = 0;
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      try {
        if (!verifier) throw new Error('the secret is not known yet');
        const event = verifier.verify(
          Buffer.concat(chunks),
          request.headers as Record<string, string>,
        ) as ReceivedWebhook;
        if (!seen.has(event['event-id'])) verified.push(event);
        seen.add(event['event-id']);
        response.writeHead(200).end();
      } catch {
        refused += 1;
        response.writeHead(401).end();
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/webhooks`,
    verified,
    get refused() {
      return refused;
    },
    useSecret: (secret) => {
      verifier = new Webhook(secret);
    },
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
