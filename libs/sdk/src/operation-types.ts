import type { OperationId } from './generated/operation-table';
import type { operations } from './generated/schema';
import type { HeaderInput } from './headers';

type JsonOf<Message> = Message extends { content: { 'application/json': infer Json } } ? Json : never;
type SuccessOf<Responses> = Responses[Extract<keyof Responses, 200 | 201 | 202>];

/** The body of an operation's successful response. */
export type Answer<Id extends OperationId> = JsonOf<SuccessOf<operations[Id]['responses']>>;

/** The JSON body of an operation's request. */
export type Body<Id extends OperationId> = operations[Id] extends { requestBody?: infer Request }
  ? JsonOf<NonNullable<Request>>
  : never;

type Repeatable<Value> = Value extends readonly unknown[] ? Value : Value | undefined;

/** The query parameters of an operation. A list is sent as a repeated key. */
export type Query<Id extends OperationId> = operations[Id] extends { parameters: { query?: infer Parameters } }
  ? { [Name in keyof NonNullable<Parameters>]: Repeatable<NonNullable<Parameters>[Name]> }
  : never;

type ElementOf<List> = { [Name in keyof List]-?: List[Name] extends readonly (infer One)[] ? One : never }[keyof List];

/** One item of a list. */
export type Item<Id extends OperationId> = ElementOf<Answer<Id>>;

/** Information about a response besides its body. */
export interface ResponseInfo {
  readonly status: number;
  readonly headers: Headers;
  /** Identifies the request in support cases. */
  readonly requestId: string | null;
  /** True if the API repeated the response of an earlier request with the same idempotency key. */
  readonly replayed: boolean;
  /** Number of requests sent, including retries. */
  readonly attempts: number;
}

/** Options of every call. */
export interface CallOptions {
  /**
   * Ends the call, even while it waits for a retry. The call then rejects with a `PonteAbortError`; a write may
   * have been processed.
   */
  readonly signal?: AbortSignal;
  /** Milliseconds for one attempt, from 1 to 2,147,483,647. Default: the client's setting. */
  readonly timeoutMs?: number;
  /** Number of retries after the first attempt. Default: the client's setting. */
  readonly maxRetries?: number;
  /** Additional headers of the request, without `Idempotency-Key`. Those of the credentials cannot be replaced. */
  readonly headers?: HeaderInput;
  /** Called with the last response, whether it is a success or an error. What it throws is ignored. */
  readonly onResponse?: (info: ResponseInfo) => void;
}

/** Options of a call that changes something. */
export interface WriteOptions extends CallOptions {
  /**
   * 1 to 255 printable ASCII characters, without a space at either end. Default: a random UUID. Store it to repeat the
   * call after a restart.
   */
  readonly idempotencyKey?: string;
}

/** The parts of a request, as passed by the generated methods. */
export interface Request<Id extends OperationId> {
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Query<Id>;
  readonly body?: Body<Id> | FormData;
  readonly options?: WriteOptions;
}

/** One page of a list. */
export interface Page<Id extends OperationId> {
  readonly items: readonly Item<Id>[];
  /** The whole response body. */
  readonly body: Answer<Id>;
  /** Pass it to continue the list later, with the same filters; null on the last page. */
  readonly nextCursor: string | null;
  /** Reads the next page; null on the last page. */
  next(): Promise<Page<Id> | null>;
}

/** A list. Await it for its first page, or iterate over it for every item of every page. */
export interface Pages<Id extends OperationId> extends PromiseLike<Page<Id>>, AsyncIterable<Item<Id>> {
  /** Every page, with one request each. */
  pages(): AsyncIterable<Page<Id>>;
}
