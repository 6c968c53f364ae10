import 'reflect-metadata';
import { CATALOGUE } from '../errors/catalogue';
import { startGateway } from '../harness/gateway-under-test';
import * as accounts from '../http/accounts/account.dto';
import * as limits from '../http/accounts/limits.dto';
import * as balances from '../http/balances/balance.dto';
import * as deposits from '../http/deposits/deposit.dto';
import * as orders from '../http/orders/order.dto';
import * as quotes from '../http/quotes/quote.dto';
import * as reference from '../http/reference/reference.dto';
import * as sandbox from '../http/sandbox/sandbox.dto';
import * as staff from '../http/staff/staff.dto';
import * as webhooks from '../http/webhook-endpoints/webhook-endpoint.dto';
import { faultsOf } from '../shape/faults';
import type { Shape } from '../shape/members';
import { ErrorDto } from './error.dto';

type Content = { 'application/json': { schema: { $ref: string }; examples: Record<string, { value: { error?: { code: string } } }> } };
interface Operation {
  operationId: string; summary: string; tags: string[]; deprecated: boolean; parameters: { name: string; in: string; schema: object }[];
  requestBody?: { content: Content }; responses: Record<string, { description: string; content?: Content }>; security?: object[];
}
interface Document { openapi: string; paths: Record<string, Record<string, Operation>>; components: { schemas: Record<string, { additionalProperties?: boolean }>; securitySchemes: object } }

const shapes = new Map<string, Shape>(
  [accounts, limits, balances, deposits, orders, quotes, reference, sandbox, staff, webhooks, { ErrorDto }]
    .flatMap((module) => Object.entries(module)).filter((entry): entry is [string, Shape] => typeof entry[1] === 'function' && /Dto$/.test(entry[0])),
);
const shapeOf = ({ $ref }: { $ref: string }): Shape => {
  const shape = shapes.get($ref.replace('#/components/schemas/', ''));
  if (!shape) throw new Error(`no shape ${$ref}`);
  return shape;
};

let document: Document;
let production: Document;
let texts: Record<string, string>;
beforeAll(async () => {
  const [gateway, live] = [await startGateway(), await startGateway('production')];
  try {
    document = (await gateway.app.inject({ url: '/openapi.json' })).json();
    production = (await live.app.inject({ url: '/openapi.json' })).json();
    expect((await live.app.inject({ method: 'POST', url: '/api/v1/sandbox/pricing' })).statusCode).toBe(404);
    const assets = ['/docs', '/docs/start.js', '/docs/swagger-ui.css', '/docs/swagger-ui-bundle.js', '/metrics'];
    texts = Object.fromEntries(await Promise.all(assets.map(async (url) => [url, (await gateway.app.inject({ url })).body] as const)));
  } finally {
    await Promise.all([gateway.stop(), live.stop()]);
  }
});

const operations = (of: Document = document): [string, Operation][] =>
  Object.entries(of.paths).flatMap(([path, item]) => Object.entries(item).map(([method, operation]): [string, Operation] => [`${method} ${path}`, operation]));

describe('the OpenAPI document: contract §14', () => {
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
      const contents = [requestBody?.content, ...Object.entries(responses).filter(([status]) => status !== '204').map(([, response]) => response.content)];
      for (const content of contents.slice(requestBody ? 0 : 1)) {
        const { schema, examples } = (content as Content)['application/json'];
        expect([name, Object.keys(examples).length > 0]).toEqual([name, true]);
        for (const { value } of Object.values(examples)) expect([name, faultsOf(shapeOf(schema), value, 'refuse')]).toEqual([name, []]);
      }
    }
  });

  it('documents errors by the catalogue: under their status, each with its code', () => {
    for (const [name, { responses, operationId }] of operations()) {
      const errors = Object.entries(responses).filter(([status]) => Number(status) >= 400);
      expect([name, errors.length >= 3]).toEqual([name, true]);
      for (const [status, { content }] of errors) {
        for (const [code, { value }] of Object.entries((content as Content)['application/json'].examples)) {
          expect([operationId, code, CATALOGUE.find((problem) => problem.code === code)?.status]).toEqual([operationId, value.error?.code, Number(status)]);
        }
      }
    }
  });

  it('closes request bodies, tells v0 apart, and says who may call', () => {
    for (const [name, { requestBody, deprecated, security }] of operations()) {
      const schema = requestBody?.content['application/json'].schema.$ref.replace('#/components/schemas/', '');
      if (schema) expect([schema, document.components.schemas[schema]?.additionalProperties]).toEqual([schema, false]);
      expect([name, deprecated]).toEqual([name, name.includes('/api/v0/')]);
      expect([name, security?.length ?? 0]).toEqual([name, /errors|state-machines/.test(name) ? 0 : name.includes('/staff') ? 1 : 2]);
    }
  });

  it('leaves the sandbox out of production, and keeps the rest', () => {
    const names = (of: Document) => operations(of).map(([name]) => name);
    expect(names(production)).toEqual(names(document).filter((name) => !name.includes('/sandbox/')));
    expect(names(document).filter((name) => name.includes('/sandbox/'))).toHaveLength(2);
  });

  it('needs nothing from another origin', () => {
    expect(texts['/docs']).not.toMatch(/https?:/);
    expect(texts['/docs/start.js']).not.toMatch(/https?:/);
    expect(texts['/docs/swagger-ui.css']).not.toMatch(/@import|url\(["']?https?:/);
    expect(texts['/docs/swagger-ui-bundle.js']?.length).toBeGreaterThan(500_000);
    expect(texts['/metrics']).toContain('ponte_gateway_request_seconds');
  });
});
