import type { IncomingMessage, Server } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { runAdmin } from '../program';

interface Ended {
  readonly code: number;
  /** The printed JSON. */
  readonly shown: unknown;
  readonly err: readonly string[];
}

/** A stub of the staff API, and the command line that calls it. */
export class StaffApiUnderTest {
  heard: { method: string; url: string; authorization: string; operator?: unknown; body: unknown }[] = [];
  private answers: { status: number; body: unknown; next?: string }[] = [];
  private server!: Server;
  private baseUrl = '';

  constructor() {
    beforeAll(() => this.listen());
    beforeEach(() => {
      this.heard = [];
      this.answers = [];
    });
    afterAll(
      () =>
        new Promise<void>((resolve) => {
          this.server.close(() => resolve());
          this.server.closeAllConnections();
        }),
    );
  }

  /** Adds the next response of the stub. */
  soon(body: unknown, status = 200, next?: string): void {
    this.answers.push({ body, status, ...(next === undefined ? {} : { next }) });
  }

  /** Runs a verb against the stub. Every file that the verb reads contains `P`. */
  async run(argv: readonly string[], at = this.baseUrl): Promise<Ended> {
    const out: string[] = [];
    const err: string[] = [];
    const code = await runAdmin(
      [...argv, '--json'],
      { gateway: async () => ({ baseUrl: at, token: 'secret' }), operate: async () => 1 },
      { print: (text) => void out.push(text), complain: (text) => void err.push(text), readFile: () => 'P' },
    );
    return { code, shown: out.length === 0 ? undefined : JSON.parse(out.join('\n')), err };
  }

  async shownBy(...argv: string[]): Promise<unknown> {
    const { shown, err } = await this.run(argv);
    expect(err).toEqual([]);
    return shown;
  }

  private async listen(): Promise<void> {
    this.server = createServer((request, response) => {
      void bodyOf(request).then((text) => {
        this.heard.push({
          method: request.method ?? '',
          url: request.url ?? '',
          authorization: request.headers.authorization ?? '',
          ...(request.headers['x-operator'] === undefined ? {} : { operator: request.headers['x-operator'] }),
          body: text === '' ? undefined : JSON.parse(text),
        });
        const { status, body, next } = this.answers.shift() ?? { status: 500, body: {} };
        const cursor = next === undefined ? {} : { 'x-next-cursor': next };
        response.writeHead(status, { 'content-type': 'application/json', ...cursor }).end(JSON.stringify(body));
      });
    });
    await new Promise<void>((resolve) => {
      this.server.listen(0, '127.0.0.1', resolve);
    });
    this.baseUrl = `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  return text;
}
