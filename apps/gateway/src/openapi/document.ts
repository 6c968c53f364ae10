import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, SwaggerModule } from '@nestjs/swagger';
import type { OpenAPIObject } from '@nestjs/swagger';
import type { Runtime } from '@ponte/nest';
import { RUNTIME } from '@ponte/nest';
import { FORM_EXTENSION, SANDBOX_KEY } from './operation';
import { RESPONSE_HEADERS, withResponseHeaders } from './response-headers';

const DESCRIPTION = [
  'Stablecoin, FX and account onboarding. Bodies are JSON with kebab-case members; amounts are decimal strings; times are UTC with milliseconds.',
  '', 'Every answer carries `X-Request-Id`. Errors have one form, see `GET /api/v1/errors`. `/api/v0` is deprecated.',
  'Every answer to a request whose API key was recognised, errors too, carries `RateLimit-Limit`, `RateLimit-Remaining` and `RateLimit-Reset`. What was not proved to come from a key',
  '(a 401 but for `body-hash-mismatch` and `nonce-reused`, `ip-not-allowed`), what is refused before its credentials are looked at, a path or method that is no operation, and a public operation',
  'has no allowance to tell of: it neither spends that of a key nor shows it.',
  '', 'Before its operation is looked at, any request may be answered 400 `malformed-request`, 404 `route-not-found`, 405 `method-not-allowed` (with `Allow`), 408 `request-timeout`,',
  '415 `unsupported-media-type` (a `Content-Encoding`), 417 `expectation-failed` and 431 `headers-too-large`. Ids are UUIDs, read in either case and answered in lower case.',
].join('\n');

const SIGNED_TOKEN = [
  'Signed by you (RS256, ES256 or EdDSA), with the claims `uri` (path and query as you send them), `nonce`, `iat`, `exp` (after `iat`, at most 50 s), `sub` (the id of the key) and `body-hash` (lower-case hex SHA-256 of the body).',
  '`method` and `nbf` are optional, and judged when they are sent. Clocks may differ by 5 s. `aud` is not judged: a token is bound to one request here by its key and its `uri`, so keep a key for this API alone.',
].join(' ');

const WEBHOOKS = [
  'Events posted to your URL, signed as Standard Webhooks say, at least once: `event-id` is the same on every retry and at every endpoint of one account.',
  'The account and its parent are told of one occurrence under two event ids; `resource-type`, `resource-id` and `sequence` are the same in both.',
  '`account-rejected` has the `status` `rejected`, `expired` or `cancelled`, and as `reason` `compliance`, `document-quality`, `data-mismatch` or `duplicate` when it was rejected, else the word of its status.',
  'Of a `deposit-voided` the sender is masked. A disabled endpoint is sent nothing more.',
].join(' ');

const TAGS: readonly (readonly [string, string])[] = [
  ['quotes', 'Prices of conversions'], ['orders', 'Accepted quotes'], ['deposits', 'Money that arrives'], ['withdrawals', 'Money that leaves'], ['balances', 'What an account has'],
  ['accounts', 'A partner and its sub-accounts'], ['onboarding', 'Requests for accounts of people, and the files that prove who they are'], ['webhooks', WEBHOOKS], ['reference', 'Errors and states'],
  ['sandbox', 'What only the sandbox can do'], ['staff', 'Operators, with their own credentials'],
];

/** The OpenAPI 3.1 document of the routes of a gateway module, from the shapes that the run time enforces. */
export function createDocument(app: INestApplication, modules: readonly (new () => unknown)[]): OpenAPIObject {
  const builder = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0').setTitle('Ponte').setDescription(DESCRIPTION).setVersion('1.0.0')
    .addApiKey({ type: 'apiKey', in: 'header', name: 'X-API-Key', description: 'Id of the API key that signs the token' }, 'api-key')
    .addBearerAuth({ type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: SIGNED_TOKEN }, 'signed-token')
    .addApiKey({ type: 'apiKey', in: 'header', name: 'Authorization', description: '`Staff <token>`' }, 'staff');
  const sandbox = app.get<Runtime>(RUNTIME).environment === 'sandbox';
  if (sandbox) builder.addSecurity(SANDBOX_KEY, { type: 'http', scheme: 'bearer', description: 'A sandbox key `sk_test_…`, alone' });
  for (const [name, description] of TAGS) builder.addTag(name, description);
  const document = SwaggerModule.createDocument(app, builder.build(), { include: [...modules], ignoreGlobalPrefix: false });
  const described = onTheWire(document);
  return sandbox ? described : withoutSandboxKeys(described);
}

/** Bearer keys exist in the sandbox alone. */
function withoutSandboxKeys(document: OpenAPIObject): OpenAPIObject {
  const paths = Object.entries(document.paths).map(([path, item]) => {
    const operations = Object.entries(item as Record<string, Operation>)
      .map(([method, operation]) => [method, operation.security ? { ...operation, security: operation.security.filter((scheme) => !(SANDBOX_KEY in scheme)) } : operation] as const);
    return [path, Object.fromEntries(operations)] as const;
  });
  return { ...document, paths: Object.fromEntries(paths) as OpenAPIObject['paths'] };
}

/** Names of path parameters as the API writes them; code cannot, since routes take no dashes. */
const PARAMETERS: Readonly<Record<string, { readonly name: string; readonly description: string; readonly schema: object; readonly example: string }>> = {
  accountId: { name: 'account-id', description: 'The account acted on', schema: { type: 'string', format: 'uuid' }, example: '0190f8a0-5c1e-7b3a-9d2f-3f6a1c0e4b01' },
  asset: { name: 'asset', description: 'Short name of the asset', schema: { type: 'string', enum: ['brl', 'usd', 'usdc', 'usdt', 'brlv', 'wbrly', 'brly'] }, example: 'brl' },
  fileId: { name: 'file-id', description: 'A file of the case', schema: { type: 'string' }, example: 'ev_01JD3F8M2K7Q9X4T6V8Z0A63B1' },
  id: { name: 'id', description: 'The resource', schema: { type: 'string' }, example: '0190f8a1-2b4c-7d5e-8f60-718293a4b5c6' },
};

interface Schema {
  readonly additionalProperties?: boolean;
  readonly properties?: Readonly<Record<string, { readonly nullable?: boolean; readonly type?: string; readonly enum?: readonly unknown[]; readonly description?: string; readonly allOf?: readonly unknown[] }>>;
}
type Schemas = Record<string, Schema>;

/** Pure: path parameters get their names on the wire and are declared, and bodies of requests say that they are closed. */
export function onTheWire(document: OpenAPIObject): OpenAPIObject {
  const paths = Object.entries(document.paths).map(([path, item]) => {
    const declared = [...path.matchAll(PARAMETER)].map(([, name = '']) => ({ in: 'path', required: true, ...(PARAMETERS[name] ?? { name, schema: { type: 'string' } }) }));
    const operations = Object.entries(item as Record<string, Operation>)
      .map(([method, operation]) => [method, { ...withResponseHeaders(path, withForm(operation)), parameters: [...declared, ...(operation.parameters ?? [])] }] as const);
    return [path.replace(PARAMETER, (_, name: string) => `{${PARAMETERS[name]?.name ?? name}}`), Object.fromEntries(operations)] as const;
  });
  const schemas: Schemas = Object.fromEntries(Object.entries(document.components?.schemas ?? {}).map(([name, schema]) => [name, withNulls(schema as Schema)]));
  for (const name of referenced(paths.flatMap(([, item]) => [item['post']?.requestBody, item['patch']?.requestBody]), schemas)) {
    schemas[name] = { ...schemas[name], additionalProperties: false };
  }
  return { ...document, paths: Object.fromEntries(paths) as OpenAPIObject['paths'], components: { ...document.components, headers: RESPONSE_HEADERS as never, schemas: schemas as never } };
}

interface Operation {
  readonly parameters?: readonly object[];
  readonly requestBody?: { readonly content?: object };
  readonly security?: readonly object[];
  readonly responses?: Readonly<Record<string, { readonly headers?: object }>>;
  readonly [FORM_EXTENSION]?: object;
}

/** A multipart form beside the JSON body. */
function withForm(operation: Operation): Operation {
  const { [FORM_EXTENSION]: form, requestBody, ...rest } = operation;
  if (!form) return operation;
  return { ...rest, requestBody: { ...requestBody, content: { ...requestBody?.content, 'multipart/form-data': form } } };
}

/** `nullable` is a word of OpenAPI 3.0; in 3.1 null is a type. */
function withNulls(schema: Schema): Schema {
  const properties = Object.entries(schema.properties ?? {}).map(([name, { nullable, ...property }]) => {
    if (!nullable) return [name, property] as const;
    const { description, ...other } = property;
    // An object by reference: a null beside its `type` would still be judged by all of `allOf`.
    if (property.allOf?.length === 1) return [name, { anyOf: [property.allOf[0], { type: 'null' }], ...(description === undefined ? {} : { description }) }] as const;
    if (property.type === undefined) return [name, { anyOf: [other, { type: 'null' }], ...(description === undefined ? {} : { description }) }] as const;
    return [name, { ...property, type: [property.type, 'null'], ...(property.enum ? { enum: [...property.enum, null] } : {}) }] as const;
  });
  return { ...schema, properties: Object.fromEntries(properties) as Schema['properties'] };
}

const PARAMETER = /\{(\w+)\}/g;

/** The schemas that a part of the document names, directly or through others. */
function referenced(part: unknown, schemas: Schemas): ReadonlySet<string> {
  const found = new Set<string>();
  const waiting = [JSON.stringify(part ?? null)];
  for (let text = waiting.pop(); text !== undefined; text = waiting.pop()) {
    for (const [, name = ''] of text.matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      if (found.has(name)) continue;
      found.add(name);
      waiting.push(JSON.stringify(schemas[name] ?? null));
    }
  }
  return found;
}
