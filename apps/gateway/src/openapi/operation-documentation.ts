import {
  ApiBody,
  ApiExtension,
  ApiExtraModels,
  ApiHeader,
  ApiOperation,
  ApiResponse,
  ApiSecurity,
  getSchemaPath,
} from '@nestjs/swagger';
import { OPERATOR_FORM } from '../authentication/staff';
import { fieldNames } from '../validation/fields';
import { errorResponses } from './error-responses';
import type { OperationSpec } from './operation-spec';
import { queryParameters } from './query-parameters';
import { takesKey } from './route-policy';
import { usualErrors } from './usual-errors';

/** The security scheme of the sandbox's bearer keys. */
export const SANDBOX_KEY = 'sandbox-key';

/** Carries a form, which the document builder cannot express, until `onTheWire` moves it to the body. */
export const FORM_EXTENSION = 'x-form';

const KEY_HEADER = {
  name: 'Idempotency-Key',
  required: false,
  description: '1 to 255 printable ASCII characters; the response is stored for 24 h',
  schema: { type: 'string', minLength: 1, maxLength: 255, pattern: '^[!-~]([ -~]*[!-~])?$' },
};
const OPERATOR_HEADER = {
  name: 'X-Operator',
  required: false,
  description: 'Name of the person who uses the staff token, recorded in events. Required for writes in production',
  schema: { type: 'string', ...OPERATOR_FORM },
};
const PREFER_HEADER = {
  name: 'Prefer',
  required: false,
  schema: { type: 'string' },
  description:
    '`dry-run` checks everything and writes nothing (RFC 7240); the response then has `Preference-Applied: dry-run`',
};
const PAGE_HEADERS = {
  'X-Next-Cursor': {
    description: 'Cursor of the next page, absent on the last page',
    schema: { type: 'string' as const },
  },
  Link: { description: 'The next page, `rel="next"`', schema: { type: 'string' as const } },
};

export function documentation(spec: OperationSpec, method: string): MethodDecorator[] {
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
    ...(spec.reach === 'staff' ? [ApiHeader(OPERATOR_HEADER as never)] : []),
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
    ...errorResponses([...usualErrors(spec, method), ...(spec.errors ?? [])], membersOf(spec), body ? 'body' : 'path'),
    ...security(spec, method),
  ];
}

const membersOf = ({ body, query }: OperationSpec): string[] => {
  const shape = body?.shape ?? query;
  return shape ? fieldNames(shape) : [];
};

/** Security schemes of the staff API. */
export const SESSION_SCHEME = 'staff-session';
export const CSRF_SCHEME = 'csrf-token';
/** The extension with the staff roles that may call the operation, for programs that read the document. */
const ROLES_EXTENSION = 'x-roles';

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
