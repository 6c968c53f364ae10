import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, SwaggerModule } from '@nestjs/swagger';
import type { OpenAPIObject } from '@nestjs/swagger';

const DESCRIPTION = [
  'Stablecoin, FX and account onboarding. Bodies are JSON with kebab-case members; amounts are decimal strings; times are UTC with milliseconds.',
  '', 'Every answer carries `X-Request-Id`. Errors have one form, see `GET /api/v1/errors`. `/api/v0` is deprecated.',
].join('\n');

const TAGS: readonly (readonly [string, string])[] = [
  ['quotes', 'Prices of conversions'], ['orders', 'Accepted quotes'], ['deposits', 'Money that arrives'], ['balances', 'What an account has'],
  ['accounts', 'A partner and its sub-accounts'], ['webhooks', 'Events posted to your URL'], ['reference', 'Errors and states'],
  ['sandbox', 'What only the sandbox can do'], ['staff', 'Operators, with their own credentials'],
];

/** The OpenAPI 3.1 document of the routes of a gateway module, from the shapes that the run time enforces. */
export function createDocument(app: INestApplication, modules: readonly (new () => unknown)[]): OpenAPIObject {
  const builder = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0').setTitle('Ponte').setDescription(DESCRIPTION).setVersion('1.0.0')
    .addApiKey({ type: 'apiKey', in: 'header', name: 'X-API-Key', description: 'Id of the API key that signs the token' }, 'api-key')
    .addBearerAuth({ type: 'http', scheme: 'bearer', bearerFormat: 'JWT', description: 'Signed by you, with claims uri, nonce, iat, exp, sub and body-hash' }, 'signed-token')
    .addSecurity('sandbox-key', { type: 'http', scheme: 'bearer', description: 'A sandbox key `sk_test_…`, alone' })
    .addApiKey({ type: 'apiKey', in: 'header', name: 'Authorization', description: '`Staff <token>`' }, 'staff');
  for (const [name, description] of TAGS) builder.addTag(name, description);
  const document = SwaggerModule.createDocument(app, builder.build(), { include: [...modules], ignoreGlobalPrefix: false });
  return onTheWire(document);
}

/** Names of path parameters as the API writes them; code cannot, since routes take no dashes. */
const PARAMETERS: Readonly<Record<string, { readonly name: string; readonly description: string; readonly schema: object; readonly example: string }>> = {
  accountId: { name: 'account-id', description: 'The account acted on', schema: { type: 'string', format: 'uuid' }, example: '0190f8a0-5c1e-7b3a-9d2f-3f6a1c0e4b01' },
  asset: { name: 'asset', description: 'Short name of the asset', schema: { type: 'string', enum: ['brl', 'usd', 'usdc', 'usdt', 'brlv', 'wbrly', 'brly'] }, example: 'brl' },
  id: { name: 'id', description: 'The resource', schema: { type: 'string' }, example: '0190f8a1-2b4c-7d5e-8f60-718293a4b5c6' },
};

interface Schema {
  readonly additionalProperties?: boolean;
  readonly properties?: Readonly<Record<string, { readonly nullable?: boolean; readonly type?: string; readonly enum?: readonly unknown[] }>>;
}
type Schemas = Record<string, Schema>;

/** Pure: path parameters get their names on the wire and are declared, and bodies of requests say that they are closed. */
export function onTheWire(document: OpenAPIObject): OpenAPIObject {
  const paths = Object.entries(document.paths).map(([path, item]) => {
    const declared = [...path.matchAll(PARAMETER)].map(([, name = '']) => ({ in: 'path', required: true, ...(PARAMETERS[name] ?? { name, schema: { type: 'string' } }) }));
    const operations = Object.entries(item as Record<string, { parameters?: object[] }>)
      .map(([method, operation]) => [method, { ...operation, parameters: [...declared, ...(operation.parameters ?? [])] }] as const);
    return [path.replace(PARAMETER, (_, name: string) => `{${PARAMETERS[name]?.name ?? name}}`), Object.fromEntries(operations)] as const;
  });
  const schemas: Schemas = Object.fromEntries(Object.entries(document.components?.schemas ?? {}).map(([name, schema]) => [name, withNulls(schema as Schema)]));
  for (const name of referenced(Object.values(document.paths).flatMap((item) => [item.post?.requestBody, item.patch?.requestBody]), schemas)) {
    schemas[name] = { ...schemas[name], additionalProperties: false };
  }
  return { ...document, paths: Object.fromEntries(paths) as OpenAPIObject['paths'], components: { ...document.components, schemas: schemas as never } };
}

/** `nullable` is a word of OpenAPI 3.0; in 3.1 null is a type. */
function withNulls(schema: Schema): Schema {
  const properties = Object.entries(schema.properties ?? {}).map(([name, { nullable, ...property }]) => {
    if (!nullable) return [name, property] as const;
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
