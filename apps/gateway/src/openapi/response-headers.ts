interface Response {
  readonly headers?: object;
}

/** The fields of an operation that determine the headers of its responses. */
interface Operation {
  readonly security?: readonly object[];
  readonly parameters?: readonly { readonly name?: string }[];
  readonly responses?: Readonly<Record<string, Response>>;
}

const header = (description: string, schema: object) => ({ description, schema });
const text = { type: 'string' };
const count = { type: 'integer', minimum: 0 };
const KNOWN = 'on every response to a request with a known API key';

/** Every response header by name; operations refer to them. */
export const RESPONSE_HEADERS = {
  'X-Request-Id': header('Id of the request; quote it when you contact support', { type: 'string', format: 'uuid' }),
  'RateLimit-Limit': header(
    `Number of requests of this type (writes or reads) that the API key may make at once; ${KNOWN}`,
    count,
  ),
  'RateLimit-Remaining': header(`Number of requests that are left; ${KNOWN}`, count),
  'RateLimit-Reset': header(`Seconds until the full number is available again; ${KNOWN}`, count),
  'Retry-After': header('Seconds to wait before a retry', count),
  'Idempotency-Replayed': header(
    '`true` if this is the stored response to the first request with this Idempotency-Key',
    {
      type: 'string',
      enum: ['true'],
    },
  ),
  'WWW-Authenticate': header('The type of credentials that is required', text),
  Deprecation: header('Since when the operation is deprecated (RFC 9745)', text),
  Sunset: header('When the operation will be removed (RFC 8594)', text),
  Link: header('The operation that replaces it, `rel="successor-version"`', text),
};

type Name = keyof typeof RESPONSE_HEADERS;

const RATE: readonly Name[] = ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'];
const AWAY: readonly Name[] = ['Deprecation', 'Sunset', 'Link'];
const RETRIED: ReadonlySet<string> = new Set(['409', '429', '503']);

/** Pure: adds the headers of each response of an operation. */
export function withResponseHeaders<T extends Operation>(path: string, operation: T): T {
  const limited = (operation.security ?? []).some((scheme) => 'api-key' in scheme);
  const always: Name[] = ['X-Request-Id', ...(limited ? RATE : []), ...(path.startsWith('/api/v0/') ? AWAY : [])];
  const keyed = (operation.parameters ?? []).some((parameter) => parameter.name === 'Idempotency-Key');
  const responses = Object.entries(operation.responses ?? {}).map(([status, response]) => {
    const names = [
      ...always,
      ...(status === '401' ? ['WWW-Authenticate' as const] : []),
      ...(RETRIED.has(status) ? ['Retry-After' as const] : []),
      ...(keyed && isReplayed(status) ? ['Idempotency-Replayed' as const] : []),
    ];
    const headers = Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
    // A v0 list has two values in its Link header; the operation's own description takes precedence.
    return [status, { ...response, headers: { ...headers, ...response.headers } }] as const;
  });
  return { ...operation, responses: Object.fromEntries(responses) };
}

/** Only 2xx and 422 responses are stored under an idempotency key. */
const isReplayed = (status: string): boolean => status.startsWith('2') || status === '422';
