import type { OperationId } from './generated/operations';
import type { operations } from './generated/schema';

type JsonOf<Response> = Response extends { content: { 'application/json': infer Body } } ? Body : never;
type SuccessOf<Responses> = Responses[Extract<keyof Responses, 200 | 201 | 202>];

/** What an operation answers with on success. */
export type Answer<Id extends OperationId> = JsonOf<SuccessOf<operations[Id]['responses']>>;

/** The JSON body that an operation takes. */
export type Body<Id extends OperationId> =
  NonNullable<operations[Id]['requestBody']> extends { content: { 'application/json': infer Json } } ? Json : never;

type Repeatable<Value> = Value extends readonly unknown[] ? Value : Value | undefined;

/** The query that an operation takes; a list is sent as a repeated key. */
export type Query<Id extends OperationId> = operations[Id]['parameters'] extends { query?: infer Parameters }
  ? { [Name in keyof NonNullable<Parameters>]: Repeatable<NonNullable<Parameters>[Name]> }
  : never;

type ElementOf<List> = { [Name in keyof List]-?: List[Name] extends readonly (infer One)[] ? One : never }[keyof List];

/** One item of a list. */
export type Item<Id extends OperationId> = ElementOf<Answer<Id>>;

/** What is known about an answer besides its body. */
export interface ResponseInfo {
  readonly status: number;
  readonly headers: Headers;
  /** Names the request in support cases. */
  readonly requestId: string | null;
  /** True when the API repeated the answer of an earlier request with the same idempotency key. */
  readonly replayed: boolean;
  /** How many requests were sent, retries included. */
  readonly attempts: number;
}

/** What every call takes. */
export interface CallOptions {
  /** Ends the call, also while it waits for a retry; the call then rejects with the signal's reason. */
  readonly signal?: AbortSignal;
  /** Milliseconds for one attempt; the client's when absent. */
  readonly timeoutMs?: number;
  /** Attempts after the first one; the client's when absent. */
  readonly maxRetries?: number;
  /** Added to the request. */
  readonly headers?: Readonly<Record<string, string>>;
  /** Called with the last answer, whether it is a success or an error. */
  readonly onResponse?: (info: ResponseInfo) => void;
}

/** What a call takes that changes something. */
export interface WriteOptions extends CallOptions {
  /** 1 to 255 printable ASCII characters; a random UUID when absent. Store it to repeat the call after a restart. */
  readonly idempotencyKey?: string;
}

/** The parts of a request, as the generated methods pass them on. */
export interface Request<Id extends OperationId> {
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: Query<Id>;
  readonly body?: Body<Id> | FormData;
  readonly options?: WriteOptions;
}

/** One page of a list. */
export interface Page<Id extends OperationId> {
  readonly items: readonly Item<Id>[];
  /** The whole body. */
  readonly body: Answer<Id>;
  /** Continues the list later, with the same filters; null on the last page. */
  readonly nextCursor: string | null;
  /** The page after this one; null on the last page. */
  next(): Promise<Page<Id> | null>;
}

/** A list: await it for its first page, or iterate it for every item of every page. */
export interface Pages<Id extends OperationId> extends PromiseLike<Page<Id>>, AsyncIterable<Item<Id>> {
  /** Every page, one request each. */
  pages(): AsyncIterable<Page<Id>>;
}
