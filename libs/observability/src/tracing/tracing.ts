/** Where work stands: the span that it is done in, and the request that it follows from. */
export interface Place {
  readonly traceparent: string;
  readonly correlationId?: string;
  /** Within work that no one asked for, as {@link Tracing.unasked} does it. */
  readonly unasked?: true;
}

/** Where the work for a request stands, for {@link Tracing.within}; undefined for one that is not traced. */
export const placeOf = ({
  traceparent,
  correlationId,
}: {
  readonly traceparent?: string | undefined;
  readonly correlationId: string;
}): Place | undefined => (traceparent === undefined ? undefined : { traceparent, correlationId });

/** What is said of a span: ids, codes, kinds and counts, never a name, a body, an address or a query. */
export type Attributes = Readonly<Record<string, string | number | boolean | string[]>>;

export interface SpanOptions {
  /** Of few values: no id stands in it. */
  readonly name: string;
  readonly kind: 'server' | 'client' | 'producer' | 'consumer' | 'internal';
  /** W3C traceparent of the span that this one belongs to; undefined begins a trace. */
  readonly parent: string | undefined;
  /** True when the parent is someone else's: a partner's. */
  readonly foreign?: boolean;
  /** Other spans that led to it. */
  readonly links?: readonly string[];
  readonly attributes?: Attributes;
}

/** A span that has begun. */
export interface Span {
  /** For whatever is done within it. */
  readonly traceparent: string;
  name(name: string): void;
  set(attributes: Attributes): void;
  /** It failed, for a reason of few values: a code, a status, the name of an error. */
  fail(type: string): void;
  /** Once. A `Refusal` is an answer and no error; of any other error only its kind is kept. */
  end(error?: unknown): void;
}

/**
 * The traces of one process. Callers read {@link on} once and wrap nothing when it is false, or use {@link within} and
 * {@link client}, which then only call through.
 */
export interface Tracing {
  readonly on: boolean;
  begin(options: SpanOptions): Span;
  /** Where the running work stands. */
  place(): Place | undefined;
  /** Does the work as part of a span; undefined takes it out of any. */
  within<T>(place: Place | undefined, work: () => T): T;
  /**
   * A call to someone outside, as a span of the place that it is made from. Of work that belongs to no trace none is
   * made.
   */
  client<T>(name: string, attributes: Attributes, work: () => Promise<T>): Promise<T>;
  /**
   * Work that no one asked for, such as one run of a timer, as a trace of its own. It begins with the first call,
   * request, read or append, and a run that does none leaves nothing. Whatever outlives the run is part of nothing.
   * What others do for it stays in the traces where it belongs: an order that a sweep carries on goes on in its own.
   */
  unasked<T>(name: string, work: () => Promise<T>): Promise<T>;
  /** Sends what is left, within a bound, and ends. */
  stop(): Promise<void>;
}

const NO_SPAN: Span = {
  traceparent: '',
  name: () => undefined,
  set: () => undefined,
  fail: () => undefined,
  end: () => undefined,
};

/** Where no collector is configured. */
export const NO_TRACING: Tracing = {
  on: false,
  begin: () => NO_SPAN,
  place: () => undefined,
  within: (_place, work) => work(),
  client: (_name, _attributes, work) => work(),
  unasked: (_name, work) => work(),
  stop: async () => undefined,
};

/** Ends the span with the work. */
export async function spanning<T>(span: Span, work: () => Promise<T>): Promise<T> {
  try {
    const done = await work();
    span.end();
    return done;
  } catch (error) {
    span.end(error);
    throw error;
  }
}
