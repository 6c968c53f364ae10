import type { IncomingHttpHeaders, Server, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Agent } from 'undici';

/** How the vendor responds to a request. */
export type Behaviour = (response: ServerResponse) => void;

interface SeenRequest {
  readonly method?: string;
  readonly url?: string;
  readonly headers?: IncomingHttpHeaders;
  readonly body?: string;
}

export const says =
  (body: unknown, status = 200): Behaviour =>
  (response) => {
    response.statusCode = status;
    response.end(typeof body === 'string' ? body : JSON.stringify(body));
  };

/** The HTTP server of a vendor, with the agent that a client uses to reach it. */
export class VendorServer {
  behave: Behaviour = says('');
  /** The last request. */
  seen: SeenRequest = {};
  readonly agent = new Agent();
  private readonly server: Server = createServer((request, response) => {
    let body = '';
    request.on('data', (part: Buffer) => {
      body += part.toString();
    });
    request.on('end', () => {
      this.seen = { method: request.method, url: request.url, headers: request.headers, body };
      this.behave(response);
    });
  });

  get origin(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  async start(): Promise<void> {
    await new Promise<void>((resolve) => {
      this.server.listen(0, '127.0.0.1', resolve);
    });
  }

  async stop(): Promise<void> {
    await this.agent.destroy();
    this.server.closeAllConnections();
    await new Promise((resolve) => {
      this.server.close(resolve);
    });
  }
}
