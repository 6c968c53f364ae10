import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, SwaggerModule } from '@nestjs/swagger';
import type { OpenAPIObject } from '@nestjs/swagger';
import type { Runtime } from '@ponte/nest';
import { RUNTIME } from '@ponte/nest';
import { togetherOf } from '../validation/together';
import { forAudience } from './audience';
import { complete } from './complete-document';
import { webhooksSection } from './webhooks-section';
import { FORM_EXTENSION, SANDBOX_KEY } from './operation-documentation';
import { RESPONSE_HEADERS, withResponseHeaders } from './response-headers';

const DESCRIPTION = [
  'Stablecoin, FX and account onboarding. Bodies are JSON with kebab-case members; amounts are decimal strings; times are UTC with milliseconds.',
  'Ids, people and external ids in examples are placeholders. The page at `/docs/reference` fills them in with what your API key reaches, so that an example can be sent as it is, as often as you like.',
  'In a request, an optional member that is `null` counts as absent. In a response, a member that does not apply is absent, and one that has no value yet is `null`.',
  '',
  'Every answer carries `X-Request-Id`. Errors have one form, see `GET /api/v1/errors`. `/api/v0` is deprecated.',
  'Every response to a request that names a known API key, errors too, carries `RateLimit-Limit`, `RateLimit-Remaining` and `RateLimit-Reset`. Only a request that proves to come from the key spends its allowance.',
  '',
  'Before its operation is looked at, any request may be answered 400 `malformed-request`, 404 `route-not-found`, 405 `method-not-allowed` (with `Allow`), 408 `request-timeout`,',
  '415 `unsupported-media-type` (a `Content-Encoding`), 417 `expectation-failed` and 431 `headers-too-large`. Ids are UUIDs, read in either case and answered in lower case.',
].join('\n');

const SIGNED_TOKEN = [
  'Signed by you (RS256, ES256 or EdDSA), with the claims `uri` (path and query as you send them), `nonce`, `iat`, `exp` (after `iat`, at most 50 s), `sub` (the id of the key) and, whenever the request has a body, `body-hash` (lower-case hex SHA-256 of the body).',
  '`method` and `nbf` are optional, and judged when they are sent. Clocks may differ by 5 s. `aud` is not judged: a token is bound to one request here by its key and its `uri`, so keep a key for this API alone.',
].join(' ');

const WEBHOOKS = [
  'Events posted to your URL, signed as Standard Webhooks say, at least once: `event-id` is the same on every retry and at every endpoint of one account.',
  'The account and its parent receive one occurrence under two event ids; `resource-type`, `resource-id` and `sequence` are the same in both.',
  'A request that ends without an account is sent as `account-request-updated` with the `status` `rejected`, `expired` or `cancelled`, then as `account-rejected`, whose `status` is always `rejected` and whose `reason` is always `compliance`.',
  'Of a `deposit-voided` the sender is masked. Nothing is sent to a disabled endpoint until it is enabled again. The schema and an example of each kind are under `webhooks` of this document.',
].join(' ');

const TAGS: readonly (readonly [string, string])[] = [
  ['quotes', 'Prices of conversions'],
  ['orders', 'Accepted quotes'],
  ['deposits', 'Money that arrives'],
  ['withdrawals', 'Money that leaves'],
  ['balances', 'What an account has'],
  ['accounts', 'A partner and its sub-accounts'],
  ['onboarding', 'Requests for accounts of people, and the files that prove who they are'],
  ['webhooks', WEBHOOKS],
  ['reference', 'Errors and states'],
  ['sandbox', 'What only the sandbox can do'],
];

/** The OpenAPI 3.1 document of the routes of a gateway module, from the shapes that the run time enforces. */
export function createDocument(app: INestApplication, modules: readonly (new () => unknown)[]): OpenAPIObject {
  const builder = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle('Ponte')
    .setDescription(DESCRIPTION)
    .setVersion('1.0.0')
    .addApiKey(
      { type: 'apiKey', in: 'header', name: 'X-API-Key', description: 'Id of the API key that signs the token' },
      'api-key',
    )
    .addBearerAuth({ type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: SIGNED_TOKEN }, 'signed-token');
  const sandbox = app.get<Runtime>(RUNTIME).environment === 'sandbox';
  if (sandbox)
    builder.addSecurity(SANDBOX_KEY, {
      type: 'http',
      scheme: 'bearer',
      description: 'A sandbox key `sk_test_…`, alone',
    });
  for (const [name, description] of TAGS) builder.addTag(name, description);
  const document = SwaggerModule.createDocument(app, builder.build(), {
    include: [...modules],
    ignoreGlobalPrefix: false,
  });
  const described = complete({
    ...onTheWire(forAudience(document, 'partner')),
    webhooks: webhooksSection(),
  } as OpenAPIObject);
  return sandbox ? described : withoutSandboxKeys(described);
}

/** Bearer keys exist in the sandbox alone. */
function withoutSandboxKeys(document: OpenAPIObject): OpenAPIObject {
  const paths = Object.entries(document.paths).map(([path, item]) => {
    const operations = Object.entries(item as Record<string, Operation>).map(
      ([method, operation]) =>
        [
          method,
          operation.security
            ? { ...operation, security: operation.security.filter((scheme) => !(SANDBOX_KEY in scheme)) }
            : operation,
        ] as const,
    );
    return [path, Object.fromEntries(operations)] as const;
  });
  return { ...document, paths: Object.fromEntries(paths) as OpenAPIObject['paths'] };
}

/** Names of path parameters as the API writes them; code cannot, since routes take no dashes. */
const PARAMETERS: Readonly<
  Record<
    string,
    { readonly name: string; readonly description: string; readonly schema: object; readonly example: string }
  >
> = {
  accountId: {
    name: 'account-id',
    description: 'The account acted on',
    schema: { type: 'string', format: 'uuid' },
    example: '0190f8a0-5c1e-7b3a-9d2f-3f6a1c0e4b01',
  },
  walletId: {
    name: 'wallet-id',
    description: 'A wallet of the account',
    schema: { type: 'string', format: 'uuid' },
    example: 'd1e2f3a4-b5c6-8d7e-9f80-91a2b3c4d5e6',
  },
  asset: {
    name: 'asset',
    description: 'Short name of the asset',
    schema: { type: 'string', enum: ['brl', 'usd', 'usdc', 'usdt', 'brlv', 'wbrly', 'brly'] },
    example: 'brl',
  },
  fileId: {
    name: 'file-id',
    description: 'A file of the case',
    schema: { type: 'string' },
    example: 'ev_01JD3F8M2K7Q9X4T6V8Z0A63B1',
  },
  id: {
    name: 'id',
    description: 'The resource',
    schema: { type: 'string' },
    example: '0190f8a1-2b4c-7d5e-8f60-718293a4b5c6',
  },
};

interface Property {
  readonly nullable?: boolean;
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly description?: string;
  readonly allOf?: readonly unknown[];
  readonly anyOf?: readonly unknown[];
}
interface Schema {
  readonly additionalProperties?: boolean;
  readonly not?: unknown;
  readonly else?: unknown;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Property>>;
}
type Schemas = Record<string, Schema>;

/**
 * Pure: path parameters get their names on the wire and are declared, and bodies of requests say that they are closed.
 */
export function onTheWire(document: OpenAPIObject): OpenAPIObject {
  const paths = Object.entries(document.paths).map(([path, item]) => {
    const declared = [...path.matchAll(PARAMETER)].map(([, name = '']) => ({
      in: 'path',
      required: true,
      ...(PARAMETERS[name] ?? { name, schema: { type: 'string' } }),
    }));
    const operations = Object.entries(item as Record<string, Operation>).map(
      ([method, operation]) =>
        [
          method,
          {
            ...withResponseHeaders(path, withForm(operation)),
            parameters: [...declared, ...(operation.parameters ?? [])],
          },
        ] as const,
    );
    return [
      path.replace(PARAMETER, (_, name: string) => `{${PARAMETERS[name]?.name ?? name}}`),
      Object.fromEntries(operations),
    ] as const;
  });
  const schemas: Schemas = Object.fromEntries(
    Object.entries(document.components?.schemas ?? {}).map(([name, schema]) => [name, withNulls(schema as Schema)]),
  );
  for (const name of referenced(
    paths.flatMap(([, item]) => [item['post']?.requestBody, item['patch']?.requestBody]),
    schemas,
  )) {
    schemas[name] = { ...withOptionalNulls(schemas[name] ?? {}), additionalProperties: false, ...togetherOf(name) };
  }
  return {
    ...document,
    paths: withOptionalBodies(Object.fromEntries(paths) as Paths, schemas) as OpenAPIObject['paths'],
    components: { ...document.components, headers: RESPONSE_HEADERS as never, schemas: schemas as never },
  };
}

interface Operation {
  readonly parameters?: readonly object[];
  readonly requestBody?: {
    readonly required?: boolean;
    readonly content?: Readonly<Record<string, { readonly schema?: { readonly $ref?: string } }>>;
  };
  readonly security?: readonly object[];
  readonly responses?: Readonly<Record<string, { readonly headers?: object }>>;
  readonly [FORM_EXTENSION]?: object;
}

/** A multipart form beside the JSON body. */
function withForm(operation: Operation): Operation {
  const { [FORM_EXTENSION]: form, requestBody, ...rest } = operation;
  if (!form) return operation;
  return {
    ...rest,
    requestBody: { ...requestBody, content: { ...requestBody?.content, 'multipart/form-data': form } },
  };
}

/** `nullable` is a word of OpenAPI 3.0; in 3.1 null is a type. */
const withNulls = (schema: Schema): Schema =>
  mapProperties(schema, (property) => {
    const { nullable, ...rest } = property;
    return nullable ? orNull(rest) : rest;
  });

/** In a request, an optional member that is null counts as absent, so its schema accepts null. */
const withOptionalNulls = (schema: Schema): Schema =>
  mapProperties(schema, (property, name) =>
    schema.required?.includes(name) || acceptsNull(property) ? property : orNull(property),
  );

const acceptsNull = ({ type, anyOf }: Property): boolean =>
  (Array.isArray(type) && type.includes('null')) || (anyOf ?? []).some((one) => (one as Property).type === 'null');

function orNull({ description, ...property }: Property): Property {
  const described = description === undefined ? {} : { description };
  // An object by reference: a null beside its `type` would still be judged by all of `allOf`.
  if (property.allOf?.length === 1) return { anyOf: [property.allOf[0], { type: 'null' }], ...described };
  if (property.type === undefined) return { anyOf: [property, { type: 'null' }], ...described };
  return {
    ...property,
    ...described,
    type: [property.type as string, 'null'],
    ...(property.enum ? { enum: [...property.enum, null] } : {}),
  };
}

const mapProperties = (schema: Schema, map: (property: Property, name: string) => Property): Schema => ({
  ...schema,
  properties: Object.fromEntries(
    Object.entries(schema.properties ?? {}).map(([name, property]) => [name, map(property, name)]),
  ),
});

const PARAMETER = /\{(\w+)\}/g;

type Paths = Readonly<Record<string, Readonly<Record<string, Operation>>>>;

/** A request without a body counts as one with an empty object, so the body may be left out where that is accepted. */
function withOptionalBodies(paths: Paths, schemas: Schemas): Paths {
  const mapped = (operation: Operation): Operation => {
    const { $ref = '' } = operation.requestBody?.content?.['application/json']?.schema ?? {};
    const schema = schemas[$ref.split('/').at(-1) ?? ''];
    if (!schema || (schema.required ?? []).length > 0 || schema.not || schema.else) return operation;
    return { ...operation, requestBody: { ...operation.requestBody, required: false } };
  };
  return Object.fromEntries(
    Object.entries(paths).map(([path, item]) => [
      path,
      Object.fromEntries(Object.entries(item).map(([method, operation]) => [method, mapped(operation)])),
    ]),
  );
}

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
