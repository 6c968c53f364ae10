import { AsyncLocalStorage } from 'node:async_hooks';
import type { Span as SdkSpan, Tracer } from '@opentelemetry/api';
import { ROOT_CONTEXT, SpanKind, SpanStatusCode, trace } from '@opentelemetry/api';
import type { TracerProvider } from '@opentelemetry/sdk-trace';
import { Refusal, Unavailable } from '@ponte/kernel';
import { withTimeout } from '@ponte/concurrency';
import { formatTraceparent, parseTraceparent } from './traceparent';
import type { Attributes, TraceContext, Span, SpanOptions, Tracing } from './tracing';
import { spanning } from './tracing';

const KINDS = {
  server: SpanKind.SERVER,
  client: SpanKind.CLIENT,
  producer: SpanKind.PRODUCER,
  consumer: SpanKind.CONSUMER,
  internal: SpanKind.INTERNAL,
} as const;
/** How long a stop waits for the collector, in milliseconds. */
const STOP_MS = 2_000;

/**
 * Tracing with the SDK of OpenTelemetry. It is not registered globally, because a test may run several processes in one
 * Node process.
 */
export class SdkTracing implements Tracing {
  readonly on = true;
  private readonly tracer: Tracer;
  private readonly storage = new AsyncLocalStorage<TraceContext | BackgroundRun | undefined>();
  private stopping: Promise<void> | undefined;

  constructor(private readonly provider: TracerProvider) {
    this.tracer = provider.getTracer('ponte');
  }

  begin({ name, kind, parent, foreign = false, links = [], attributes = {} }: SpanOptions): Span {
    const before = parseTraceparent(parent, foreign);
    const others = links.flatMap((one) => parseTraceparent(one) ?? []).map((context) => ({ context }));
    const options = {
      kind: KINDS[kind],
      attributes: { ...attributes },
      ...(others.length > 0 ? { links: others } : {}),
    };
    return new BegunSpan(
      this.tracer.startSpan(name, options, before ? trace.setSpanContext(ROOT_CONTEXT, before) : ROOT_CONTEXT),
    );
  }

  current(): TraceContext | undefined {
    const at = this.storage.getStore();
    return at instanceof BackgroundRun ? at.context() : at;
  }

  inSpan<T>(context: TraceContext | undefined, work: () => T): T {
    return this.storage.run(context, work);
  }

  client<T>(name: string, attributes: Attributes, work: () => Promise<T>): Promise<T> {
    const context = this.current();
    if (!context) return work();
    const span = this.begin({ name, kind: 'client', parent: context.traceparent, attributes });
    return spanning(span, () => this.inSpan({ ...context, traceparent: span.traceparent }, work));
  }

  async unasked<T>(name: string, work: () => Promise<T>): Promise<T> {
    const run = new BackgroundRun(() => this.begin({ name, kind: 'internal', parent: undefined }));
    try {
      const result = await this.storage.run(run, work);
      run.end();
      return result;
    } catch (error) {
      run.end(error);
      throw error;
    }
  }

  /** A collector that does not answer does not delay the stop beyond its time limit. */
  stop(): Promise<void> {
    return (this.stopping ??= withTimeout(STOP_MS, this.provider.shutdown()).catch(() => undefined));
  }
}

/** The span of work that no request caused. It starts when the first child span needs it. */
class BackgroundRun {
  private span: Span | undefined;
  private over = false;

  constructor(private readonly begin: () => Span) {}

  context(): TraceContext | undefined {
    if (this.over) return undefined;
    this.span ??= this.begin();
    return { traceparent: this.span.traceparent, unasked: true };
  }

  end(error?: unknown): void {
    this.over = true;
    this.span?.end(error);
  }
}

class BegunSpan implements Span {
  readonly traceparent: string;

  constructor(private readonly span: SdkSpan) {
    this.traceparent = formatTraceparent(span.spanContext());
  }

  name(name: string): void {
    this.span.updateName(name);
  }

  set(attributes: Attributes): void {
    this.span.setAttributes({ ...attributes });
  }

  fail(type: string): void {
    this.span.setAttribute('error.type', type);
    this.span.setStatus({ code: SpanStatusCode.ERROR });
  }

  /** Error messages may quote input, so they are not recorded. */
  end(error?: unknown): void {
    if (error instanceof Refusal) this.span.setAttribute('ponte.refusal', error.code);
    else if (error !== undefined)
      this.fail(error instanceof Unavailable ? error.code : error instanceof Error ? error.name : typeof error);
    this.span.end();
  }
}
