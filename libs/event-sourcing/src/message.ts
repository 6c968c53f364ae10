/** The requester, its causes and its deadline. Sent with every request over the bus. */
export interface RequestContext {
  /** Identity of the command: a command with the same id is executed once. For a query, any id. */
  readonly commandId: string;
  readonly correlationId: string;
  /** Id of the event whose policy sends the request. */
  readonly causationId?: string;
  /** API key id, staff id or policy name. */
  readonly actor?: string;
  /** Epoch milliseconds of the system's clock. After it, the request is dropped without being executed. */
  readonly deadline?: number;
  /** The span of the sender, in W3C Trace Context format. Absent if nothing is traced. */
  readonly traceparent?: string;
}

/**
 * One kind of request to a service, with the types of its payload and its reply.
 * `key` returns the id of the resource. Requests with the same key may be routed to one partition; undefined means any
 * partition.
 */
export interface RequestDefinition<P, R> {
  readonly kind: 'command' | 'query';
  readonly service: string;
  readonly name: string;
  /** `<service>.<kind>.<name>`, under which the handler is registered. */
  readonly pattern: string;
  readonly key: (payload: P) => string | undefined;
  /** Never set; carries the type of the reply. */
  readonly replies?: R;
}

type KeyOf<P> = (payload: P) => string | undefined;

const define = <P, R>(
  kind: 'command' | 'query',
  service: string,
  name: string,
  key: KeyOf<P>,
): RequestDefinition<P, R> => ({
  kind,
  service,
  name,
  pattern: `${service}.${kind}.${name}`,
  key,
});

/** A request that may change something: `command<Payload, Reply>('ledger', 'place-hold', (p) => p.accountId)`. */
export const command = <P, R>(service: string, name: string, key: KeyOf<P>) =>
  define<P, R>('command', service, name, key);

/** A request that changes nothing. */
export const query = <P, R>(service: string, name: string, key: KeyOf<P> = () => undefined) =>
  define<P, R>('query', service, name, key);

/** The fields of a payload that can contain the resource's id. */
type IdField<P> = { [K in keyof P]: P[K] extends string ? K : never }[keyof P];

/**
 * Defines the requests of one service: `command<Payload, Reply>('place-hold', 'accountId')`. The last argument is the
 * field of the payload that contains the resource's id, or a function that returns it. Without it, any partition may
 * be used.
 */
export function requestsOf(service: string) {
  const defines =
    (kind: 'command' | 'query') =>
    <P, R>(name: string, key?: IdField<P> | KeyOf<P>): RequestDefinition<P, R> => {
      if (typeof key === 'function') return define<P, R>(kind, service, name, key);
      return define<P, R>(kind, service, name, (payload) => (key === undefined ? key : (payload[key] as string)));
    };
  return { command: defines('command'), query: defines('query') };
}

export type PayloadOf<D> = D extends RequestDefinition<infer P, unknown> ? P : never;
export type ReplyOf<D> = D extends RequestDefinition<never, infer R> ? R : never;
