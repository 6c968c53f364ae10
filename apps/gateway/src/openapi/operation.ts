import { applyDecorators, Controller, HttpCode, RequestMethod, UseFilters } from '@nestjs/common';
import { METHOD_METADATA } from '@nestjs/common/constants';
import { ApiBody, ApiHeader, ApiOperation, ApiResponse, ApiSecurity, ApiTags } from '@nestjs/swagger';
import { RouteConfig } from '@nestjs/platform-fastify';
import type { Reach, RoutePolicy } from '../edge/call';
import { ErrorAnswers } from '../errors/error-answers';
import { NO_MEMBERS, ShapeCheck } from '../shape/checked';
import type { Shape } from '../shape/members';
import { errorResponses } from './error-responses';
import { queryParameters } from './query-parameters';

interface Described<T extends object = object> {
  readonly shape: Shape<T>;
  readonly example: T;
}

/** An operation of the API: what the edge enforces and the document shows, said once. */
export interface OperationSpec {
  /** The operation's id in the document, unique. */
  readonly id: string;
  /** Name under which v0 and v1 are one operation; the id when absent. */
  readonly operation?: string;
  readonly summary: string;
  readonly reach: Reach;
  /** 200 unless given. */
  readonly status?: number;
  readonly body?: Described;
  readonly query?: Shape;
  readonly answer?: Described;
  /** True for a list, which may go on in another page. */
  readonly paged?: boolean;
  /** Codes beyond those that every operation of its kind may answer. */
  readonly errors?: readonly string[];
  /** Of a v0 operation: the path that takes its place. */
  readonly successor?: string;
  readonly secretAnswer?: boolean;
}

/** Ties a shape to an example of it, so that the compiler sees that one is the other. */
export const described = <T extends object>(shape: Shape<T>, example: T): Described<T> => ({ shape, example });

/** A class of routes under one tag, whose errors are answered by the catalogue. */
export const Resource = (path: string, tag: string): ClassDecorator => applyDecorators(Controller(path), ApiTags(tag), UseFilters(ErrorAnswers));

/** Stands above `@Get`, `@Post` and the like, whose method it reads. */
export const Operation = (spec: OperationSpec): MethodDecorator => (target, name, descriptor: PropertyDescriptor) => {
  const method = RequestMethod[Reflect.getMetadata(METHOD_METADATA, descriptor.value as object) as RequestMethod];
  if (method === undefined) throw new Error(`@Operation of ${spec.id} stands above its method decorator`);
  for (const decorate of [RouteConfig({ policy: policyOf(spec, method) }), HttpCode(spec.status ?? 200), ...documentation(spec, method)]) {
    decorate(target, name, descriptor);
  }
};

const policyOf = (spec: OperationSpec, method: string): RoutePolicy => ({
  operation: spec.operation ?? spec.id,
  reach: spec.reach,
  write: method !== 'GET',
  body: bodyCheck(spec, method),
  query: spec.query ? new ShapeCheck(spec.query, 'ignore') : null,
  successor: spec.successor ?? null,
  secretAnswer: spec.secretAnswer ?? false,
});

/** An operation without a body takes an empty one. */
const bodyCheck = ({ body }: OperationSpec, method: string): ShapeCheck | null => {
  if (body) return new ShapeCheck(body.shape, 'refuse');
  return method === 'GET' ? null : NO_MEMBERS;
};

const KEY_HEADER = { name: 'Idempotency-Key', required: false, description: '1 to 255 printable ASCII characters; the answer is kept for 24 h', schema: { type: 'string', minLength: 1, maxLength: 255 } };
const PAGE_HEADERS = {
  'X-Next-Cursor': { description: 'Cursor of the next page, absent on the last', schema: { type: 'string' as const } },
  Link: { description: 'The next page, `rel="next"`', schema: { type: 'string' as const } },
};

function documentation(spec: OperationSpec, method: string): MethodDecorator[] {
  const { id, summary, body, query, answer, successor, reach, status = 200 } = spec;
  return [
    ApiOperation({ operationId: id, summary, deprecated: successor !== undefined }),
    ...(body ? [ApiBody({ type: body.shape, required: true, examples: { example: { value: body.example } } } as never)] : []),
    ...(query ? queryParameters(query) : []),
    ...(method === 'POST' ? [ApiHeader(KEY_HEADER as never)] : []),
    ...(answer
      ? [ApiResponse({ status, type: answer.shape, description: summary, examples: { example: { summary, value: answer.example } }, ...(spec.paged ? { headers: PAGE_HEADERS } : {}) })]
      : [ApiResponse({ status, description: summary })]),
    ...errorResponses([...usualErrors(spec, method), ...(spec.errors ?? [])]),
    ...security(reach),
  ];
}

function security(reach: Reach): MethodDecorator[] {
  if (reach === 'public') return [];
  if (reach === 'staff') return [ApiSecurity('staff')];
  return [ApiSecurity({ 'api-key': [], 'signed-token': [] } as never), ApiSecurity('sandbox-key')];
}

/** What any operation of this kind may answer. */
function usualErrors({ reach, body, query, paged }: OperationSpec, method: string): string[] {
  const codes = ['not-acceptable', 'internal-error', 'service-unavailable'];
  if (body) codes.push('malformed-json', 'missing-field', 'unknown-field', 'invalid-type', 'invalid-format', 'invalid-enum-value', 'body-too-large', 'unsupported-media-type');
  if (query) codes.push('invalid-format', 'invalid-enum-value');
  if (paged) codes.push('invalid-cursor', 'invalid-limit');
  if (method === 'POST') codes.push('idempotency-in-progress', 'idempotency-key-reused', 'invalid-format');
  if (reach === 'staff') codes.push('missing-credentials', 'invalid-staff-token');
  if (reach === 'public' || reach === 'staff') return codes;
  codes.push('missing-credentials', 'unknown-api-key', 'revoked-api-key', 'invalid-signature', 'token-expired', 'token-lifetime-too-long', 'nonce-reused',
    'uri-mismatch', 'method-mismatch', 'body-hash-mismatch', 'ip-not-allowed', 'rate-limited');
  if (method !== 'GET') codes.push('api-key-read-only');
  if (reach === 'account') codes.push('account-access-denied');
  return codes;
}
