import type { IncomingHttpHeaders, Server, ServerResponse } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Agent } from 'undici';
import { Rate } from '@ponte/kernel';
import type { HttpFeedOptions } from '../rates/http.rate-source.adapter';
import { HttpFeed } from '../rates/http.rate-source.adapter';
import { parseJsonPath } from '../rates/json-path';

export const NOON = Date.UTC(2026, 4, 13, 14);
export const usd = (text: string): Rate => Rate.parse('USD', 'BRL', text);

export type Behaviour = (response: ServerResponse) => void;

/** A provider of rates whose behaviour a test sets, and feeds that read it. */
export class FeedUnderTest {
  behave: Behaviour = (response) => response.end();
  seenHeaders: IncomingHttpHeaders = {};
  now = NOON;
  private readonly agent = new Agent();

  private constructor(private readonly server: Server) {}

  static async start(): Promise<FeedUnderTest> {
    const server = createServer((request, response) => {
      feed.seenHeaders = request.headers;
      feed.behave(response);
    });
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    const feed = new FeedUnderTest(server);
    return feed;
  }

  async stop(): Promise<void> {
    await this.agent.destroy();
    this.server.closeAllConnections();
    await new Promise((resolve) => {
      this.server.close(resolve);
    });
  }

  get url(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}/latest?key=secret`;
  }

  feed(more: Partial<HttpFeedOptions> = {}): HttpFeed {
    return new HttpFeed({
      url: this.url,
      path: parseJsonPath('data[0].rate'),
      base: 'USD',
      quote: 'BRL',
      timeoutMs: 60_000,
      plausible: { min: usd('1'), max: usd('100') },
      now: () => this.now,
      dispatcher: this.agent,
      ...more,
    });
  }
}

/** Answers with the body: text as it is, other values as JSON. */
export const says =
  (body: unknown): Behaviour =>
  (response) =>
    response.end(typeof body === 'string' ? body : JSON.stringify(body));

/** Answers with a rate and, optionally, its time. */
export const rated = (value: unknown, time?: unknown): Behaviour => says({ data: [{ rate: value }], at: time });
