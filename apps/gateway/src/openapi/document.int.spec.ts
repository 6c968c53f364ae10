import 'reflect-metadata';
import { CATALOGUE } from '../errors/catalogue';
import { startGateway, wholeDocument } from '../testing/gateway-under-test';
import * as pairs from '../api/pairs/pair.dto';
import * as backtests from '../api/pricing-rules/backtest.dto';
import * as rules from '../api/pricing-rules/rules.dto';
import * as explanations from '../api/quotes/explanation.dto';
import * as creation from '../api/accounts/account-creation.dto';
import * as accounts from '../api/accounts/account.dto';
import * as limits from '../api/accounts/limits.dto';
import * as balances from '../api/balances/balance.dto';
import * as deposits from '../api/deposits/deposit.dto';
import * as files from '../api/files/file.dto';
import * as requests from '../api/onboarding/account-request.dto';
import * as people from '../api/onboarding/person.dto';
import * as asking from '../api/onboarding/request.dto';
import * as externalWallets from '../api/onboarding/external-wallet.dto';
import * as orders from '../api/orders/order.dto';
import * as quotes from '../api/quotes/quote.dto';
import * as reference from '../api/reference/reference.dto';
import * as bank from '../api/sandbox/bank.dto';
import * as clock from '../api/sandbox/clock.dto';
import * as sandbox from '../api/sandbox/sandbox.dto';
import * as staff from '../console-api/staff.dto';
import * as apiKeys from '../console-api/api-key.dto';
import * as withdrawals from '../api/withdrawals/withdrawal.dto';
import * as withdrawalRequests from '../api/withdrawals/withdrawal-request.dto';
import * as certificates from '../api/certificates/certificate.dto';
import * as nftTransfers from '../api/nft-transfers/nft-transfer.dto';
import * as staffCertificates from '../console-api/certificates/certificate.dto';
import * as transfers from '../api/transfers/transfer.dto';
import * as wallets from '../api/wallets/wallet.dto';
import { payloadFaults, WEBHOOK_EVENT_TYPES } from '@ponte/contracts';
import * as signatures from '../api/sandbox/signature-check.dto';
import * as faults from '../api/sandbox/webhook-faults.dto';
import * as webhookDeliveries from '../api/webhook-endpoints/webhook-delivery.dto';
import * as webhooks from '../api/webhook-endpoints/webhook-endpoint.dto';
import * as replays from '../api/webhook-endpoints/webhook-replay.dto';
import * as events from '../api/webhook-events/account-event.dto';
import { violationsOf } from '../validation/violations';
import type { Shape } from '../validation/members';
import { ErrorDto } from './error.dto';

type Content = {
  'application/json': {
    schema: { $ref: string };
    examples: Record<string, { value: { error?: { code: string; details?: { path: string }[] } } }>;
  };
};
interface Operation {
  operationId: string;
  summary: string;
  tags: string[];
  deprecated: boolean;
  parameters: { name: string; in: string; schema: object }[];
  requestBody?: { content: Content };
  responses: Record<string, { description: string; content?: Content; headers?: Record<string, { $ref?: string }> }>;
  security?: object[];
}
interface Document {
  openapi: string;
  tags: { name: string }[];
  paths: Record<string, Record<string, Operation>>;
  components: { headers: object; schemas: Record<string, { additionalProperties?: boolean }>; securitySchemes: object };
}

const shapes = new Map<string, Shape>(
  [
    accounts,
    creation,
    pairs,
    explanations,
    rules,
    backtests,
    limits,
    balances,
    deposits,
    files,
    requests,
    people,
    asking,
    externalWallets,
    apiKeys,
    withdrawalRequests,
    orders,
    quotes,
    reference,
    sandbox,
    bank,
    clock,
    staff,
    transfers,
    certificates,
    nftTransfers,
    staffCertificates,
    wallets,
    webhooks,
    webhookDeliveries,
    replays,
    events,
    faults,
    signatures,
    withdrawals,
    { ErrorDto },
  ]
    .flatMap((module) => Object.entries(module))
    .filter((entry): entry is [string, Shape] => typeof entry[1] === 'function' && /Dto$/.test(entry[0])),
);
const shapeOf = ({ $ref }: { $ref: string }): Shape => {
  const shape = shapes.get($ref.replace('#/components/schemas/', ''));
  if (!shape) throw new Error(`no shape ${$ref}`);
  return shape;
};

let document: Document;
/** The text of what partners are served. */
let partner: string;
let production: Document;
let texts: Record<string, string>;
/** Statuses of what belongs to the management port. */
const hidden: number[] = [];
beforeAll(async () => {
  const [gateway, live] = [await startGateway(), await startGateway('production')];
  try {
    document = await wholeDocument(gateway);
    partner = (await gateway.app.inject({ url: '/openapi.json' })).body;
    production = await wholeDocument(live);
    expect((await live.app.inject({ method: 'POST', url: '/api/v1/sandbox/pricing' })).statusCode).toBe(404);
    const assets = [
      '/docs/reference',
      '/docs/reference/start.js',
      '/docs/reference/viewer.js',
      '/docs/reference/viewer.css',
    ];
    texts = Object.fromEntries(
      await Promise.all(assets.map(async (url) => [url, (await gateway.app.inject({ url })).body] as const)),
    );
    for (const url of ['/metrics', '/staff/openapi.json', '/staff/reference', '/staff/reference/start.js'])
      hidden.push(
        ...(await Promise.all([gateway, live].map(async ({ app }) => (await app.inject({ url })).statusCode))),
      );
  } finally {
    await Promise.all([gateway.stop(), live.stop()]);
  }
});

const operations = (of: Document = document): [string, Operation][] =>
  Object.entries(of.paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]): [string, Operation] => [`${method} ${path}`, operation]),
  );

describe('the OpenAPI document', () => {
  it('is 3.1, with path parameters as they are on the wire and an operation id for every operation', () => {
    expect(document.openapi).toBe('3.1.0');
    expect(Object.keys(document.paths)).toContain('/api/v1/accounts/{account-id}/assets/{asset}/deposits/{id}');
    const ids = operations().map(([, { operationId }]) => operationId);
    expect(new Set(ids).size).toBe(ids.length);
    for (const [name, { operationId, summary, tags, parameters }] of operations()) {
      expect([name, operationId]).toEqual([name, expect.stringMatching(/^[a-z0-9]+(-[a-z0-9]+)*$/)]);
      expect([summary.length > 5, tags.length]).toEqual([true, 1]);
      const inPath = [...name.matchAll(/\{([^}]+)\}/g)].map(([, parameter]) => parameter);
      expect(parameters.filter((one) => one.in === 'path').map((one) => one.name)).toEqual(inPath);
    }
  });

  it('has an example for every body and every answer, and each is right by its own shape', () => {
    for (const [name, { requestBody, responses }] of operations()) {
      const contents = [
        requestBody?.content,
        ...Object.entries(responses)
          .filter(([status]) => status !== '204')
          .map(([, response]) => response.content),
      ];
      for (const content of contents.slice(requestBody ? 0 : 1)) {
        // A stream is no JSON: its events are under `webhooks`.
        if (content && 'text/event-stream' in content) continue;
        const { schema, examples } = (content as Content)['application/json'];
        expect([name, Object.keys(examples).length > 0]).toEqual([name, true]);
        for (const { value } of Object.values(examples))
          expect([name, violationsOf(shapeOf(schema), value, 'refuse')]).toEqual([name, []]);
      }
    }
  });

  it('has every kind of event under webhooks, with its schema, headers and an example that fits', () => {
    const { webhooks: section } = document as unknown as {
      webhooks: Record<string, { post: { parameters: { name: string }[]; requestBody: Body } }>;
    };
    interface Body {
      content: {
        'application/json': {
          schema: { required: string[] };
          examples: { example: { value: { payload: Record<string, unknown>; 'event-type': string } } };
        };
      };
    }
    expect(Object.keys(section).sort()).toEqual([...WEBHOOK_EVENT_TYPES].sort());
    for (const type of WEBHOOK_EVENT_TYPES) {
      const { parameters, requestBody } = section[type]?.post as { parameters: { name: string }[]; requestBody: Body };
      const {
        schema,
        examples: {
          example: { value },
        },
      } = requestBody.content['application/json'];
      expect(parameters.map(({ name }) => name)).toEqual(['webhook-id', 'webhook-timestamp', 'webhook-signature']);
      expect(schema.required.filter((name) => !(name in value))).toEqual([]);
      expect([type, value['event-type'], payloadFaults(type, value.payload)]).toEqual([type, type, []]);
    }
  });

  it('documents errors by the catalogue: under their status, each with its code', () => {
    for (const [name, { responses, operationId }] of operations()) {
      const errors = Object.entries(responses).filter(([status]) => Number(status) >= 400);
      expect([name, errors.length >= 3]).toEqual([name, true]);
      for (const [status, { content }] of errors) {
        for (const [code, { value }] of Object.entries((content as Content)['application/json'].examples)) {
          expect([operationId, code, CATALOGUE.find((definition) => definition.code === code)?.status]).toEqual([
            operationId,
            value.error?.code,
            Number(status),
          ]);
        }
      }
    }
  });

  it('has v0 at the end, among the paths and among the tags, which no other operation has', () => {
    const names = Object.keys(document.paths).filter((path) => !path.startsWith('/staff/'));
    const old = names.filter((path) => path.startsWith('/api/v0/'));
    expect(old.length).toBeGreaterThan(0);
    expect(names.slice(-old.length)).toEqual(old);
    const last = document.tags.at(-1)?.name;
    expect(last).toMatch(/v0/);
    for (const [name, { tags }] of operations())
      expect([name, tags.includes(last ?? '')]).toEqual([name, name.includes('/api/v0/')]);
  });

  it('closes request bodies, tells v0 apart, and says who may call', () => {
    for (const [name, { requestBody, deprecated, security }] of operations()) {
      const schema = requestBody?.content['application/json'].schema.$ref.replace('#/components/schemas/', '');
      if (schema) expect([schema, document.components.schemas[schema]?.additionalProperties]).toEqual([schema, false]);
      expect([name, deprecated]).toEqual([name, name.includes('/api/v0/')]);
      expect([name, security?.length ?? 0]).toEqual([
        name,
        /errors|state-machines/.test(name) ? 0 : name.includes('/staff') ? 1 : 2,
      ]);
    }
  });

  it('shows the multipart form of an upload beside its JSON body, and a second status where a request may be there already', () => {
    const upload = document.paths['/api/v1/accounts/files']?.['post'];
    expect(upload?.requestBody?.content).toMatchObject({
      'multipart/form-data': { schema: { $ref: '#/components/schemas/FileFormDto' } },
    });
    expect(upload).not.toHaveProperty('x-form');
    expect(document.components.schemas['FileFormDto']).toMatchObject({
      additionalProperties: false,
      properties: { file: { type: 'string', format: 'binary' } },
    });
    expect(Object.keys(document.paths['/api/v1/accounts/kyc/individual']?.['post']?.responses ?? {})).toEqual(
      expect.arrayContaining(['200', '201', '400', '403', '422']),
    );
  });

  it('names the headers of every answer', () => {
    expect(Object.keys(document.components.headers)).toEqual(
      expect.arrayContaining(['X-Request-Id', 'Retry-After', 'Idempotency-Replayed', 'Deprecation', 'Sunset']),
    );
    for (const [name, { responses, security }] of operations()) {
      const limited = (security ?? []).some((scheme) => 'api-key' in scheme);
      for (const [status, { headers = {} }] of Object.entries(responses)) {
        const has = (header: string) => header in headers;
        expect([
          name,
          status,
          has('X-Request-Id'),
          has('RateLimit-Limit'),
          has('RateLimit-Remaining'),
          has('RateLimit-Reset'),
        ]).toEqual([name, status, true, limited, limited, limited]);
        expect([name, status, has('Deprecation'), has('Sunset')]).toEqual([
          name,
          status,
          name.includes('/api/v0/'),
          name.includes('/api/v0/'),
        ]);
        expect([name, status, has('Retry-After')]).toEqual([name, status, /409|429|503/.test(status)]);
        expect([name, status, has('Idempotency-Replayed')]).toEqual([
          name,
          status,
          /^(post|patch) /.test(name) && /^2|422/.test(status),
        ]);
        for (const { $ref } of Object.values(headers))
          if ($ref) expect(document.components.headers).toHaveProperty([$ref.replace('#/components/headers/', '')]);
      }
    }
  });

  it('shows business errors where they are found, and the order of a quote that was accepted', () => {
    const errorsOf = (name: string) =>
      Object.values(operations().find(([, { operationId }]) => operationId === name)?.[1].responses ?? {})
        .flatMap(({ content }) => Object.entries(content?.['application/json']?.examples ?? {}))
        .flatMap(([code, { value }]) => (value.error?.details ?? []).map((violation) => [code, violation] as const));
    const placing = new Map(errorsOf('create-order'));
    expect(placing.get('external-id-already-used')).toMatchObject({ path: 'external-id' });
    expect(placing.get('quote-already-accepted')).toMatchObject({
      path: 'quote-id',
      'order-id': expect.any(String) as string,
    });
    expect(placing.get('payment-method-not-allowed-for-pair')).toMatchObject({ path: 'source-payment-method' });
    expect(placing.get('missing-field')).toMatchObject({ path: 'quote-id' });
    expect(new Map(errorsOf('create-quote')).get('amount-below-minimum')).toMatchObject({ path: 'source-amount' });
    const everywhere = ['malformed-json', 'malformed-request', 'idempotency-key-reused', 'limit-exceeded'];
    for (const [name, { operationId, requestBody, parameters }] of operations()) {
      const ofTheWhole =
        requestBody || parameters.some((one) => one.in === 'query') ? everywhere : [...everywhere, 'invalid-type'];
      for (const [code, { path }] of errorsOf(operationId))
        expect([name, code, path !== '']).toEqual([name, code, !ofTheWhole.includes(code)]);
    }
    expect(placing.get('insufficient-balance')).toMatchObject({ path: 'quote-id' });
  });

  it('lists what a body that is not wanted is answered with', () => {
    for (const name of ['ping-webhook-endpoint', 'cancel-account-request', 'delete-webhook-endpoint']) {
      const { responses } = operations().find(([, { operationId }]) => operationId === name)?.[1] as Operation;
      const codes = (status: string) => Object.keys(responses[status]?.content?.['application/json']?.examples ?? {});
      expect([codes('400'), codes('413'), codes('415')]).toEqual([
        expect.arrayContaining(['malformed-json', 'unknown-field', 'invalid-type']),
        ['body-too-large'],
        ['unsupported-media-type'],
      ]);
    }
  });

  it('says which responses carry the allowance, and what is checked of a token', () => {
    const { info, components } = document as unknown as {
      info: { description: string };
      components: {
        headers: Record<string, { description: string }>;
        securitySchemes: Record<string, { description: string }>;
      };
    };
    for (const name of ['RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset'])
      expect(components.headers[name]?.description).toContain(
        'on every response to a request that names a known API key',
      );
    expect(info.description).toContain('names a known API key, errors too');
    expect(components.securitySchemes['signed-token']?.description).toContain('`aud` is not judged');
  });

  it('leaves the sandbox out of production, and keeps the rest', () => {
    const isOfSandbox = (name: string) => name.includes('/sandbox/') || name.endsWith('/faults');
    const names = (of: Document) => operations(of).map(([name]) => name);
    expect(JSON.stringify(production)).not.toContain('sandbox-key');
    expect(document.components.securitySchemes).toHaveProperty('sandbox-key');
    for (const [name, { security = [] }] of operations(production))
      expect([name, security.length]).toEqual([name, /errors|state-machines/.test(name) ? 0 : 1]);
    expect(names(production)).toEqual(names(document).filter((name) => !isOfSandbox(name)));
    expect(names(document).filter(isOfSandbox)).toHaveLength(12);
  });

  it('keeps what staff and operators do out of the document of partners', () => {
    expect(partner).not.toMatch(/\/staff|Staff <token>|StaffAccountDto/);
    expect(Object.keys(document.paths)).toEqual(expect.arrayContaining(['/staff/accounts', '/staff/quotes/{id}']));
  });

  it('metrics and the document of the staff API are not on the public port', () => {
    expect(hidden).toEqual(Array.from({ length: 8 }, () => 404));
  });

  it('needs nothing from another origin', () => {
    expect(texts['/docs/reference']).not.toMatch(/https?:/);
    expect(texts['/docs/reference/start.js']).not.toMatch(/https?:/);
    expect(texts['/docs/reference/viewer.js']?.length).toBeGreaterThan(500_000);
    expect(texts['/docs/reference/viewer.css']).not.toMatch(/@import|@font-face|url\((?!['"]?data:)/);
  });
});
