import type { Server } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

interface RpcCall {
  readonly id: unknown;
  readonly method: string;
  readonly params: readonly unknown[];
}

/** The answer to one call: an error as a node returns it, another result, or undefined to forward it to the node. */
export type RpcRule = (call: RpcCall) => Promise<Interception | undefined> | Interception | undefined;
type Interception =
  | { readonly error: { readonly code: number; readonly message: string; readonly data?: string } }
  | { readonly result: unknown };

/** A provider in front of a real node, with its own rules and limits. Batches are split. */
export class RpcProxy {
  readonly calls: RpcCall[] = [];
  /** The first rule that returns an answer wins. */
  rules: RpcRule[] = [];

  private constructor(
    private readonly server: Server,
    private readonly node: string,
  ) {}

  static async before(node: string): Promise<RpcProxy> {
    const server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request
        .on('data', (chunk: Buffer) => chunks.push(chunk))
        .on('end', () => {
          const body = JSON.parse(Buffer.concat(chunks).toString()) as RpcCall | RpcCall[];
          const answers = Array.isArray(body)
            ? Promise.all(body.map((call) => proxy.answer(call)))
            : proxy.answer(body);
          void answers.then(
            (answer) => response.setHeader('content-type', 'application/json').end(JSON.stringify(answer)),
            () => response.destroy(),
          );
        });
    });
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    const proxy = new RpcProxy(server, node);
    return proxy;
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  of = (method: string): RpcCall[] => this.calls.filter((call) => call.method === method);

  async stop(): Promise<void> {
    this.server.closeAllConnections();
    await new Promise((resolve) => {
      this.server.close(resolve);
    });
  }

  private async answer(call: RpcCall): Promise<unknown> {
    this.calls.push(call);
    const about = { jsonrpc: '2.0', id: call.id };
    for (const rule of this.rules) {
      const answer = await rule(call);
      if (answer) return { ...about, ...answer };
    }
    const response = await fetch(this.node, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ ...call, ...about }),
    });
    return response.json();
  }
}
