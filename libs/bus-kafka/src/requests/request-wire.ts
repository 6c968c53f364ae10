import type { IHeaders, KafkaMessage, Message } from 'kafkajs';
import { Refusal, Unavailable } from '@ponte/kernel';
import type { RequestContext } from '@ponte/event-sourcing';
import { traceHeaders } from '../trace-headers';

/** A request as it is stored in `<service>.commands`. */
export interface RequestOnWire {
  readonly pattern: string;
  readonly correlation: string;
  readonly replyTo: string;
  /** Epoch milliseconds after which the caller no longer waits for the reply. */
  readonly until: number;
  readonly payload: unknown;
  readonly context: RequestContext;
}

export type Answer =
  { readonly ok: true; readonly reply: unknown } | { readonly ok: false; readonly error: Refusal | Unavailable };

const HEADERS = {
  pattern: 'ponte-pattern',
  correlation: 'ponte-request',
  replyTo: 'ponte-reply-to',
  until: 'ponte-deadline',
} as const;

/** The Kafka message of a request. Messages with the same key go to the same partition and stay in order. */
export function requestMessage(request: RequestOnWire, key: string | undefined): Message {
  const { pattern, correlation, replyTo, until, payload, context } = request;
  return {
    key: key ?? null,
    value: JSON.stringify({ payload, context }),
    headers: {
      [HEADERS.pattern]: pattern,
      [HEADERS.correlation]: correlation,
      [HEADERS.replyTo]: replyTo,
      [HEADERS.until]: String(until),
      ...traceHeaders(context),
    },
  };
}

/** Undefined if the message is not a request. */
export function readRequest({ headers, value }: KafkaMessage): RequestOnWire | undefined {
  const text = (name: string): string => headerText(headers, name);
  const until = Number(text(HEADERS.until));
  const body = record(value);
  const context = body?.['context'];
  if (!body || !Number.isSafeInteger(until) || !isContext(context)) return undefined;
  const request = {
    pattern: text(HEADERS.pattern),
    correlation: text(HEADERS.correlation),
    replyTo: text(HEADERS.replyTo),
    until,
    payload: body['payload'],
    context,
  };
  return request.pattern && request.correlation && request.replyTo ? request : undefined;
}

/** The Kafka message of an answer, which names its request by `correlation`. */
export function answerMessage(correlation: string, answer: Answer): Message {
  return {
    key: null,
    value: JSON.stringify(answer.ok ? { reply: answer.reply } : { error: answer.error }),
    headers: { [HEADERS.correlation]: correlation },
  };
}

export const correlationOf = ({ headers }: KafkaMessage): string => headerText(headers, HEADERS.correlation);

/** A malformed answer means that the outcome of the request is unknown. */
export function readAnswer({ value }: KafkaMessage): Answer {
  const body = record(value);
  const error = body?.['error'];
  if (Refusal.isJSON(error)) return { ok: false, error: Refusal.fromJSON(error) };
  if (Unavailable.isJSON(error)) return { ok: false, error: Unavailable.fromJSON(error) };
  if (!body || error !== undefined) return { ok: false, error: new Unavailable('service-unavailable') };
  return { ok: true, reply: body['reply'] };
}

function headerText(headers: IHeaders | undefined, name: string): string {
  const value = headers?.[name];
  return typeof value === 'string' || Buffer.isBuffer(value) ? value.toString() : '';
}

function record(value: Buffer | null): Record<string, unknown> | undefined {
  if (value === null) return undefined;
  try {
    const parsed: unknown = JSON.parse(value.toString('utf8'));
    return typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)
      ? (parsed as Record<string, unknown>)
      : undefined;
  } catch {
    return undefined;
  }
}

const isContext = (value: unknown): value is RequestContext =>
  typeof value === 'object' &&
  value !== null &&
  ['commandId', 'correlationId'].every((name) => typeof (value as Record<string, unknown>)[name] === 'string');
