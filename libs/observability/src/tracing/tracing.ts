/** The trace context of the running work: its span and its request. */
export interface TraceContext {
  readonly traceparent: string;
  readonly correlationId?: string;
  /** Set within work that no request caused; see {@link Tracing.unasked}. */
  readonly unasked?: true;
}

/** The trace context of a request, for {@link Tracing.inSpan}; undefined if the request is not traced. */
export const traceContextOf = ({
  traceparent,
  correlationId,
}: {
  readonly traceparent?: string | undefined;
  readonly correlationId: string;
}): TraceContext | undefined => (traceparent === undefined ? undefined : { traceparent, correlationId });

/** Attributes of a span: ids, codes, kinds and counts, never a name, a body, an address or a query. */
export type Attributes = Readonly<Record<string, string | number | boolean | string[]>>;

export interface SpanOptions {
  /** Must have few distinct values, so it contains no id. */
  readonly name: string;
  readonly kind: 'server' | 'client' | 'producer' | 'consumer' | 'internal';
  /** W3C traceparent of the parent span; undefined starts a new trace. */
  readonly parent: string | undefined;
  /** True if the parent span belongs to another party, such as a partner. */
  readonly foreign?: boolean;
  /** Traceparents of other spans that caused this one. */
  readonly links?: readonly string[];
  readonly attributes?: Attributes;
}

export interface Span {
  /** Parent of the spans created within this one. */
  readonly traceparent: string;
  name(name: string): void;
  set(attributes: Attributes): void;
  /** Marks the span as failed. `type` has few distinct values: a code, a status or the name of an error. */
  fail(type: string): void;
  /** Call once. A `Refusal` is not an error; of any other error only its code or name is recorded. */
  end(error?: unknown): void;
}

/**
 * The tracing of one process. If {@link on} is false, callers need not wrap anything; {@link inSpan} and {@link client}
 * then only call the work.
 */
export interface Tracing {
  readonly on: boolean;
  begin(options: SpanOptions): Span;
  /** The trace context of the running work. */
  current(): TraceContext | undefined;
  /** Runs the work as part of a span; undefined detaches it from any span. */
  inSpan<T>(context: TraceContext | undefined, work: () => T): T;
  /** Runs a call to an external party in a client span of the current trace. Creates no span outside a trace. */
  client<T>(name: string, attributes: Attributes, work: () => Promise<T>): Promise<T>;
  /**
   * Runs work that no request caused, such as a run of a timer, as a trace of its own. The trace starts with the first
   * call, request, read or append, so a run without any leaves no trace. Work that outlives the run belongs to no
   * trace. Other services continue the trace of the resource: an order that a sweep advances stays in its own trace.
   */
  unasked<T>(name: string, work: () => Promise<T>): Promise<T>;
  /** Exports the remaining spans within a time limit, and ends. */
  stop(): Promise<void>;
}

const NO_SPAN: Span = {
  traceparent: '',
  name: () => undefined,
  set: () => undefined,
  fail: () => undefined,
  end: () => undefined,
};

/** Used if no collector is configured. */
export const NO_TRACING: Tracing = {
  on: false,
  begin: () => NO_SPAN,
  current: () => undefined,
  inSpan: (_context, work) => work(),
  client: (_name, _attributes, work) => work(),
  unasked: (_name, work) => work(),
  stop: async () => undefined,
};

/** Runs the work and ends the span with its outcome. */
export async function spanning<T>(span: Span, work: () => Promise<T>): Promise<T> {
  try {
    const result = await work();
    span.end();
    return result;
  } catch (error) {
    span.end(error);
    throw error;
  }
}
