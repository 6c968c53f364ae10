import { PonteConfigurationError } from './errors';
import { EventLog } from './event-log/event-log';
import type { EventLogOptions, LoggedEvent } from './event-log/event-log-options';
import type { OperationId } from './generated/operation-table';
import { OPERATIONS } from './generated/operation-table';
import { Operations } from './generated/operations';
import { addedHeaders, checkedKey } from './headers';
import type { Answer, Pages, Request } from './operation-types';
import { checkMilliseconds, checkTimes, resolve } from './options';
import type { PonteOptions } from './options';
import { CursorPages } from './pages';
import type { OutgoingRequest, Reading, Received } from './transport';
import { readJson, Transport } from './transport';

const NEXT_CURSOR = 'x-next-cursor';

/**
 * A client of the API for one key. Between calls it keeps only a correction of the clock that signs requests, so a
 * program needs only one instance.
 *
 * @example
 * const ponte = new Ponte({ baseUrl, apiKey });
 * const { account } = await ponte.getAccount(accountId);
 */
export class Ponte extends Operations {
  readonly #transport: Transport;

  /** @throws PonteConfigurationError if an option is invalid; a PEM is parsed only with the first request */
  constructor(options: PonteOptions) {
    super();
    this.#transport = new Transport(resolve(options));
  }

  /**
   * The events of an account from the event log, as they happen, without end. A broken connection is reopened after the
   * last event. Ends when `signal` is aborted.
   *
   * @throws GoneError (`cursor-expired`) if `after` is older than the log
   * @throws PonteConfigurationError if a time of the options cannot be waited for
   */
  events(accountId: string, options: EventLogOptions = {}): AsyncIterable<LoggedEvent> {
    const { pollIntervalMs = 1, idleTimeoutMs = 1 } = options;
    checkMilliseconds('pollIntervalMs', pollIntervalMs, 0);
    checkMilliseconds('idleTimeoutMs', idleTimeoutMs, 1);
    return new EventLog(this.#transport, accountId, options);
  }

  protected override async send<Id extends OperationId>(id: Id, request: Request<Id>): Promise<Answer<Id>> {
    return (await this.exchange(id, request)).content;
  }

  protected override list<Id extends OperationId>(id: Id, request: Request<Id>): Pages<Id> {
    return new CursorPages<Id>(async (cursor) => {
      const query = cursor === null ? request.query : ({ ...request.query, cursor } as unknown as typeof request.query);
      const { content, headers } = await this.exchange(id, { ...request, query });
      return { body: content, nextCursor: headers.get(NEXT_CURSOR) };
    });
  }

  private async exchange<Id extends OperationId>(id: Id, request: Request<Id>): Promise<Received<Answer<Id>>> {
    const outgoing = await outgoingOf(id, request);
    const { answers } = OPERATIONS[id];
    if ((answers as string) === 'stream') return streamed((await this.#transport.open(outgoing)).response);
    return (await this.#transport.exchange(outgoing, READ[answers] ?? readJson)) as Received<Answer<Id>>;
  }
}

const streamed = <Content>(response: Response): Received<Content> => ({
  content: response as Content,
  headers: response.headers,
});

const READ: Readonly<Record<string, Reading<unknown>>> = {
  json: readJson,
  bytes: async (response) => {
    const blob = await response.blob();
    return () => blob;
  },
  nothing: async (response) => {
    await response.arrayBuffer();
    return () => undefined;
  },
};

async function outgoingOf<Id extends OperationId>(id: Id, request: Request<Id>): Promise<OutgoingRequest> {
  const { method, path, keyed, open, answers } = OPERATIONS[id];
  const { options = {} } = request;
  checkTimes(options);
  const idempotencyKey = keyed ? checkedKey(options.idempotencyKey ?? crypto.randomUUID()) : null;
  const encoded = await encode(request.body);
  return {
    method,
    uri: `${filled(path, request.path ?? {})}${queryOf(request.query ?? {})}`,
    body: encoded?.bytes ?? null,
    headers: {
      accept: answers === 'json' ? 'application/json' : '*/*',
      ...(encoded ? { 'content-type': encoded.type } : {}),
      ...(idempotencyKey === null ? {} : { 'idempotency-key': idempotencyKey }),
    },
    open,
    idempotencyKey,
    repeatable: method === 'GET' || method === 'DELETE' || keyed,
    options: { ...options, headers: addedHeaders(options.headers) },
  };
}

function filled(template: string, parameters: Readonly<Record<string, string>>): string {
  return template.replace(/\{([^}]+)\}/g, (_, name: string) => {
    const value = parameters[name];
    if (typeof value !== 'string' || value === '' || value === '.' || value === '..') {
      throw new PonteConfigurationError(`${name} is missing: pass a text that is not empty`);
    }
    return encodeURIComponent(value);
  });
}

function queryOf(query: object): string {
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    (Array.isArray(value) ? value : [value])
      .filter((one) => one !== undefined && one !== null)
      .map((one): [string, string] => [name, String(one)]),
  );
  return pairs.length === 0 ? '' : `?${new URLSearchParams(pairs)}`;
}

/** Encodes the body once to bytes, so that its hash matches what is sent. */
async function encode(body: unknown): Promise<{ bytes: Uint8Array; type: string } | null> {
  if (body === undefined) return null;
  if (!isForm(body)) return { bytes: new TextEncoder().encode(JSON.stringify(body)), type: 'application/json' };
  const form = new Response(body);
  return {
    bytes: new Uint8Array(await form.arrayBuffer()),
    type: form.headers.get('content-type') ?? 'multipart/form-data',
  };
}

/** Checks the class name, because the form may come from another realm. */
const isForm = (body: unknown): body is FormData => Object.prototype.toString.call(body) === '[object FormData]';
