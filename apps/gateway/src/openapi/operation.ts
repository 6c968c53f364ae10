import type { PublicErrorCode } from '@ponte/kernel';
import { applyDecorators, Controller, HttpCode, RequestMethod } from '@nestjs/common';
import { METHOD_METADATA } from '@nestjs/common/constants';
import {
  ApiBody,
  ApiExtension,
  ApiExtraModels,
  ApiHeader,
  ApiOperation,
  ApiResponse,
  ApiSecurity,
  ApiTags,
  getSchemaPath,
} from '@nestjs/swagger';
import { RouteConfig } from '@nestjs/platform-fastify';
import type { StaffRole } from '@ponte/contracts';
import type { WhileFrozen } from '../authorization/standing';
import type { ShedPriority } from '../load-shedding/load-shedder';
import type { Reach, RoutePolicy } from '../edge/request-context';
import type { FormFields } from '../bodies/multipart-body';
import type { BodyForm } from '../validation/checked';
import { memberNames } from '../validation/compiled-validator';
import { NO_MEMBERS, ShapeCheck } from '../validation/checked';
import type { Shape } from '../validation/members';
import { errorResponses } from './error-responses';
import { queryParameters } from './query-parameters';

interface Described<T extends object = object> {
  readonly shape: Shape<T>;
  readonly example: T;
  readonly form?: BodyForm;
}

/** A multipart form as another way to send the same body. */
interface Multipart {
  readonly shape: Shape;
  readonly read: (fields: FormFields) => unknown;
}

/** An operation of the API: what the edge enforces and the document shows, said once. */
export interface OperationSpec {
  /** The operation's id in the document, unique. */
  readonly id: string;
  /** Name under which v0 and v1 are one operation; the id when absent. */
  readonly operation?: string;
  readonly summary: string;
  readonly reach: Reach;
  /** Who of the staff may, where the reach is `session`. */
  readonly roles?: readonly StaffRole[];
  /** Of what begins new work: when it is put off while accepted work is behind. */
  readonly shedPriority?: ShedPriority;
  /** True where `Prefer: dry-run` (RFC 7240) is honoured; the handler reads it from the call. */
  readonly dryRun?: boolean;
  /** Of a command of a partner, `refused` unless given; reads are always allowed. */
  readonly whileFrozen?: WhileFrozen;
  /** False where no Idempotency-Key is taken; a session never takes one. */
  readonly keyed?: boolean;
  /** 200 unless given. */
  readonly status?: number;
  readonly body?: Described;
  readonly query?: Shape;
  readonly answer?: Described;
  /** True for a list, which may go on in another page. */
  readonly paged?: boolean;
  /** Codes beyond those that every operation of its kind may answer. */
  readonly errors?: readonly PublicErrorCode[];
  /** Of a v0 operation: the path that takes its place. */
  readonly successor?: string;
  readonly secretAnswer?: boolean;
  /** Another status with the same answer, and when it is given. */
  readonly also?: { readonly status: number; readonly summary: string };
  /** Bytes of a body, where files come in. */
  readonly bodyLimit?: number;
  readonly multipart?: Multipart;
  /** Media types of an answer that is bytes and no JSON. */
  readonly bytes?: readonly string[];
}

/** Ties a shape to an example of it, so that the compiler sees that one is the other. */
export const described = <T extends object>(shape: Shape<T>, example: T, form?: BodyForm): Described<T> => ({
  shape,
  example,
  ...(form ? { form } : {}),
});

/** A class of routes under one tag. */
export const Resource = (path: string, tag: string): ClassDecorator => applyDecorators(Controller(path), ApiTags(tag));

/** Stands above `@Get`, `@Post` and the like, whose method it reads. */
export const Operation =
  (spec: OperationSpec): MethodDecorator =>
  (target, name, descriptor: PropertyDescriptor) => {
    const method = RequestMethod[Reflect.getMetadata(METHOD_METADATA, descriptor.value as object) as RequestMethod];
    if (method === undefined) throw new Error(`@Operation of ${spec.id} stands above its method decorator`);
    for (const decorate of [
      RouteConfig({ policy: policyOf(spec, method) }),
      HttpCode(spec.status ?? 200),
      ...documentation(spec, method),
    ]) {
      decorate(target, name, descriptor);
    }
  };

const policyOf = (spec: OperationSpec, method: string): RoutePolicy => ({
  operation: spec.operation ?? spec.id,
  reach: spec.reach,
  roles: spec.roles ?? [],
  keyed: takesKey(spec, method),
  json: spec.bytes === undefined,
  write: method !== 'GET',
  whileFrozen: method === 'GET' ? 'allowed' : (spec.whileFrozen ?? 'refused'),
  shedPriority: spec.shedPriority ?? null,
  dryRun: spec.dryRun ?? false,
  body: bodyCheck(spec, method),
  query: spec.query ? new ShapeCheck(spec.query, 'ignore') : null,
  successor: spec.successor ?? null,
  secretAnswer: spec.secretAnswer ?? false,
  bodyLimit: spec.bodyLimit ?? null,
  readForm: spec.multipart?.read ?? null,
});

/** Every POST and PATCH of partners and operators. */
const takesKey = ({ reach, keyed = true }: OperationSpec, method: string): boolean =>
  keyed && reach !== 'session' && (method === 'POST' || method === 'PATCH');

/** An operation without a body takes an empty one. */
const bodyCheck = ({ body }: OperationSpec, method: string): ShapeCheck | null => {
  if (body) return new ShapeCheck(body.shape, 'refuse', body.form);
  return method === 'GET' ? null : NO_MEMBERS;
};

/** The security scheme of a sandbox's bearer keys. */
export const SANDBOX_KEY = 'sandbox-key';

/** Where the document's builder carries a form, which it cannot say itself, until `onTheWire` puts it in its place. */
export const FORM_EXTENSION = 'x-form';

const KEY_HEADER = {
  name: 'Idempotency-Key',
  required: false,
  description: '1 to 255 printable ASCII characters; the answer is kept for 24 h',
  schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[!-~]([ -~]*[!-~])?$' },
};
const PREFER_HEADER = {
  name: 'Prefer',
  required: false,
  schema: { type: 'string' },
  description:
    '`dry-run` checks everything and writes nothing (RFC 7240); the answer then has `Preference-Applied: dry-run`',
};
const PAGE_HEADERS = {
  'X-Next-Cursor': { description: 'Cursor of the next page, absent on the last', schema: { type: 'string' as const } },
  Link: { description: 'The next page, `rel="next"`', schema: { type: 'string' as const } },
};

function documentation(spec: OperationSpec, method: string): MethodDecorator[] {
  const { id, summary, body, query, answer, also, bytes, multipart, successor, status = 200 } = spec;
  return [
    ApiOperation({ operationId: id, summary, deprecated: successor !== undefined }),
    ...(body
      ? [ApiBody({ type: body.shape, required: true, examples: { example: { value: body.example } } } as never)]
      : []),
    ...(multipart
      ? [
          ApiExtraModels(multipart.shape),
          ApiExtension(FORM_EXTENSION, { schema: { $ref: getSchemaPath(multipart.shape) } }),
        ]
      : []),
    ...(query ? queryParameters(query) : []),
    ...(takesKey(spec, method) ? [ApiHeader(KEY_HEADER as never)] : []),
    ...(spec.dryRun ? [ApiHeader(PREFER_HEADER as never)] : []),
    ...(answer
      ? [
          ApiResponse({
            status,
            type: answer.shape,
            description: summary,
            examples: { example: { summary, value: answer.example } },
            ...(spec.paged ? { headers: PAGE_HEADERS } : {}),
          }),
        ]
      : [
          ApiResponse({
            status,
            description: summary,
            ...(bytes
              ? {
                  content: Object.fromEntries(
                    bytes.map((type) => [type, { schema: { type: 'string', format: 'binary' } }]),
                  ),
                }
              : {}),
          }),
        ]),
    ...(answer && also
      ? [
          ApiResponse({
            status: also.status,
            type: answer.shape,
            description: also.summary,
            examples: { example: { summary: also.summary, value: answer.example } },
          }),
        ]
      : []),
    ...errorResponses([...usualErrors(spec, method), ...(spec.errors ?? [])], membersOf(spec)),
    ...security(spec, method),
  ];
}

const membersOf = ({ body, query }: OperationSpec): string[] => {
  const shape = body?.shape ?? query;
  return shape ? memberNames(shape) : [];
};

/** Security schemes of the staff API. */
export const SESSION_SCHEME = 'staff-session';
export const CSRF_SCHEME = 'csrf-token';
/** Which staff roles may call the operation, for programs that read the document. */
export const ROLES_EXTENSION = 'x-roles';

function security({ reach, roles = [] }: OperationSpec, method: string): MethodDecorator[] {
  if (reach === 'public') return [];
  if (reach === 'session')
    return [
      ApiSecurity({ [SESSION_SCHEME]: [], ...(method === 'GET' ? {} : { [CSRF_SCHEME]: [] }) } as never),
      ApiExtension(ROLES_EXTENSION, [...roles]),
    ];
  if (reach === 'staff') return [ApiSecurity('staff')];
  return [ApiSecurity({ 'api-key': [], 'signed-token': [] } as never), ApiSecurity(SANDBOX_KEY)];
}

/** What any operation of this kind may answer. */
function usualErrors(spec: OperationSpec, method: string): PublicErrorCode[] {
  const { reach, body, query, paged } = spec;
  const codes: PublicErrorCode[] = ['internal-error', 'service-unavailable'];
  if (!spec.bytes) codes.unshift('not-acceptable');
  // An operation without a body reads one all the same, and takes an empty object alone.
  if (method !== 'GET')
    codes.push('malformed-json', 'unknown-field', 'invalid-type', 'body-too-large', 'unsupported-media-type');
  if (body) codes.push('missing-field', 'invalid-format', 'invalid-enum-value');
  // A parameter that is sent twice is a list.
  if (query) codes.push('invalid-type', 'invalid-format', 'invalid-enum-value');
  if (paged) codes.push('invalid-cursor', 'invalid-limit');
  if (takesKey(spec, method)) codes.push('idempotency-in-progress', 'idempotency-key-reused', 'invalid-format');
  if (reach === 'staff') codes.push('missing-credentials', 'invalid-staff-token');
  if (reach === 'session')
    codes.push(
      'no-session',
      'cross-origin-request',
      'role-not-allowed',
      ...(method === 'GET' ? [] : (['csrf-token-mismatch'] as const)),
    );
  if (reach === 'public' || reach === 'staff' || reach === 'session') return codes;
  codes.push(
    'missing-credentials',
    'unknown-api-key',
    'revoked-api-key',
    'invalid-signature',
    'token-expired',
    'token-lifetime-too-long',
    'nonce-reused',
    'uri-mismatch',
    'method-mismatch',
    'body-hash-mismatch',
    'ip-not-allowed',
    'rate-limited',
  );
  if (method !== 'GET')
    codes.push('api-key-read-only', ...(spec.whileFrozen === 'allowed' ? [] : (['account-not-active'] as const)));
  if (reach === 'account') codes.push('account-access-denied');
  return codes;
}
