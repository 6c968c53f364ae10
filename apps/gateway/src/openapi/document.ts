import type { INestApplication } from '@nestjs/common';
import type { OpenAPIObject } from '@nestjs/swagger';
import { DocumentBuilder, SwaggerModule } from '@nestjs/swagger';
import type { Runtime } from '@ponte/nest';
import { RUNTIME } from '@ponte/nest';
import { forAudience } from './audience';
import { complete } from './complete-document';
import { webhooksSection } from './webhooks-section';
import { SANDBOX_KEY } from './operation-documentation';
import type { Operation } from './on-the-wire';
import { onTheWire } from './on-the-wire';

const DESCRIPTION = [
  'Stablecoin, FX and account onboarding. Bodies are JSON with kebab-case fields; amounts are decimal strings; times are UTC with milliseconds.',
  'Ids, people and external ids in examples are placeholders. The page at `/docs/reference` replaces them with ' +
    'data of your API key, so that every example can be sent as it is and repeated.',
  'In a request, an optional field that is `null` counts as absent. In a response, a field that does not apply is absent, and one that has no value yet is `null`.',
  '',
  'Every response has an `X-Request-Id`. All errors have the same format, see `GET /api/v1/errors`.',
  '`/api/v0` is deprecated.',
  'Every response to a request with a known API key, errors included, has `RateLimit-Limit`, ' +
    '`RateLimit-Remaining` and `RateLimit-Reset`, unless it was sent before the key was read (400 ' +
    '`malformed-request`, 417, 431). Only authenticated requests count towards the limit.',
  '',
  'Before its operation is known, any request may be refused with 400 `malformed-request`, 404 `route-not-found`, ' +
    '405 `method-not-allowed` (with `Allow`), 408 `request-timeout`,',
  '415 `unsupported-media-type` (a `Content-Encoding`), 417 `expectation-failed` and 431 `headers-too-large`.',
  'Ids are UUIDs, accepted in either case and returned in lower case.',
].join('\n');

const SIGNED_TOKEN = [
  'Signed by you (RS256, ES256 or EdDSA), with the claims `uri` (path and query as you send them), `nonce`, ' +
    '`iat`, `exp` (after `iat`, at most 50 s), `sub` (the id of the key) and, whenever the request has a body, ' +
    '`body-hash` (lower-case hex SHA-256 of the body).',
  '`method` and `nbf` are optional and checked if sent. Clocks may differ by 5 s. `aud` is not checked: a token ' +
    'is bound to one request by its key and its `uri`, so use the key only for this API.',
].join(' ');

const WEBHOOKS = [
  'Events posted to your URL, signed according to Standard Webhooks and delivered at least once: `event-id` is ' +
    'the same on every retry and at every endpoint of one account.',
  'The account and its parent receive the same occurrence under two event ids; `resource-type`, `resource-id` and ' +
    '`sequence` are the same in both.',
  'A request that ends without an account is sent as `account-request-updated` with the `status` `rejected`, ' +
    '`expired` or `cancelled`, then as `account-rejected`, whose `status` is always `rejected` and whose `reason` ' +
    'is always `compliance`.',
  'The sender of a `deposit-voided` is masked. Nothing is sent to a disabled endpoint until it is enabled again. The schema and an example of each event type are under `webhooks` of this document.',
].join(' ');

const TAGS: readonly (readonly [string, string])[] = [
  ['quotes', 'Prices of conversions'],
  ['orders', 'Accepted quotes'],
  ['deposits', 'Incoming money'],
  ['withdrawals', 'Outgoing money'],
  ['balances', 'Balances of an account'],
  ['accounts', 'A partner and its sub-accounts'],
  ['onboarding', 'Account requests for people, and the files that prove their identity'],
  ['webhooks', WEBHOOKS],
  ['reference', 'Errors and states'],
  ['sandbox', 'Operations that exist only in the sandbox'],
];

/** Creates the OpenAPI 3.1 document for partners from the shapes that are enforced at run time. */
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
      description: 'A sandbox key `sk_test_…`, without a token',
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

/** Removes the sandbox's bearer keys, which do not exist in production. */
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
