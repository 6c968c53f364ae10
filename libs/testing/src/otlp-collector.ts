import { createServer } from 'node:http';
import type { ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A span of an OTLP/HTTP request in JSON, with the service that reported it. */
export interface CollectedSpan {
  readonly service: string;
  readonly name: string;
  readonly traceId: string;
  readonly spanId: string;
  /** Empty or absent for a root span. */
  readonly parentSpanId?: string;
  readonly attributes: Readonly<Record<string, unknown>>;
}

interface Attribute {
  readonly key: string;
  readonly value: Readonly<Record<string, unknown>>;
}
interface Batch {
  readonly resourceSpans: readonly {
    readonly resource: { readonly attributes: readonly Attribute[] };
    readonly scopeSpans: readonly {
      readonly spans: readonly (Omit<CollectedSpan, 'service' | 'attributes'> & {
        readonly attributes?: readonly Attribute[];
      })[];
    }[];
  }[];
}

/** How batches are handled: accepted, refused permanently, or never answered. */
type CollectorMood = 'taking' | 'refusing' | 'silent';

/** A trace collector: an HTTP server that stores received spans. */
export class OtlpCollector {
  mood: CollectorMood = 'taking';
  readonly spans: CollectedSpan[] = [];
  /** All received bodies, accepted or not. */
  text = '';
  /** Number of received batches. */
  posts = 0;
  private readonly unanswered: ServerResponse[] = [];
  private readonly server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => this.receive(Buffer.concat(chunks).toString('utf8'), request.url ?? '', response));
  });

  private constructor() {}

  static async start(): Promise<OtlpCollector> {
    const collector = new OtlpCollector();
    await new Promise<void>((resolve) => collector.server.listen(0, '127.0.0.1', resolve));
    return collector;
  }

  /** For OTEL_EXPORTER_OTLP_ENDPOINT. */
  get endpoint(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  /** Refuses all unanswered batches, so that they are not retried. */
  close(): Promise<void> {
    for (const response of this.unanswered) response.writeHead(400).end();
    return new Promise((resolve) => {
      this.server.close(() => resolve());
      this.server.closeIdleConnections();
      setImmediate(() => this.server.closeAllConnections());
    });
  }

  private receive(text: string, path: string, response: ServerResponse): void {
    this.posts += 1;
    this.text += text;
    if (this.mood === 'silent') {
      this.unanswered.push(response);
      return;
    }
    if (this.mood === 'refusing' || path !== '/v1/traces') {
      response.writeHead(400).end();
      return;
    }
    this.spans.push(...spansOf(JSON.parse(text) as Batch));
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  }
}

function spansOf({ resourceSpans }: Batch): CollectedSpan[] {
  return resourceSpans.flatMap(({ resource, scopeSpans }) => {
    const service = String(valuesOf(resource.attributes)['service.name']);
    return scopeSpans.flatMap(({ spans }) =>
      spans.map((span) => ({ ...span, service, attributes: valuesOf(span.attributes ?? []) })),
    );
  });
}

/** An attribute's value is its only member, such as `intValue` or `stringValue`. */
const valuesOf = (attributes: readonly Attribute[]): Record<string, unknown> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, Object.values(value)[0]]));
