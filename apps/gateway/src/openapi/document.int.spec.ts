import 'reflect-metadata';
import { CATALOGUE } from '../errors/catalogue';
import { WEBHOOK_EVENT_TYPES } from '@ponte/contracts';
import { payloadFaults } from '@ponte/testing';
import { violationsOf } from '../validation/violations';
import type { Content } from './testing/documents';
import { document, operations, shapeOf, useDocuments } from './testing/documents';

useDocuments();

describe('the OpenAPI document', () => {
  it('is version 3.1, with the public names of path parameters and an operation id for every operation', () => {
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

  it('has an example for every body and every response, which is valid by its own shape', () => {
    for (const [name, { requestBody, responses }] of operations()) {
      const contents = [
        requestBody?.content,
        ...Object.entries(responses)
          .filter(([status]) => status !== '204')
          .map(([, response]) => response.content),
      ];
      for (const content of contents.slice(requestBody ? 0 : 1)) {
        // A stream is not JSON. Its events are under `webhooks`.
        if (content && 'text/event-stream' in content) continue;
        const { schema, examples } = (content as Content)['application/json'];
        expect([name, Object.keys(examples).length > 0]).toEqual([name, true]);
        for (const { value } of Object.values(examples))
          expect([name, violationsOf(shapeOf(schema), value, 'refuse')]).toEqual([name, []]);
      }
    }
  });

  it('has every event type under webhooks, with its schema, headers and a valid example', () => {
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

  it('documents errors according to the catalogue, under their status and with their code', () => {
    for (const [name, { responses, operationId }] of operations()) {
      const errors = Object.entries(responses).filter(([status]) => Number(status) >= 400);
      expect([name, errors.length >= 3]).toEqual([name, true]);
      for (const [status, { content }] of errors) {
        for (const [code, { value }] of Object.entries((content as Content)['application/json'].examples)) {
          const statuses = CATALOGUE.filter((definition) => definition.code === code).map((one) => one.status);
          expect([operationId, code]).toEqual([operationId, value.error?.code]);
          expect([operationId, code, statuses]).toEqual([operationId, code, expect.arrayContaining([Number(status)])]);
        }
      }
    }
  });

  it('documents a missing quote under one code: 404 in a path, 422 in a body', () => {
    const statusesOf = (id: string) => {
      const responses = operations().find(([, { operationId }]) => operationId === id)?.[1].responses ?? {};
      return Object.entries(responses)
        .filter(([, response]) => JSON.stringify(response).includes('"quote-not-found"'))
        .map(([status]) => status);
    };
    expect([statusesOf('get-quote'), statusesOf('create-order')]).toEqual([['404'], ['422']]);
  });

  it('has v0 at the end of the paths and of the tags, and no other operation has that tag', () => {
    const names = Object.keys(document.paths).filter((path) => !path.startsWith('/staff/'));
    const old = names.filter((path) => path.startsWith('/api/v0/'));
    expect(old.length).toBeGreaterThan(0);
    expect(names.slice(-old.length)).toEqual(old);
    const last = document.tags.at(-1)?.name;
    expect(last).toMatch(/v0/);
    for (const [name, { tags }] of operations())
      expect([name, tags.includes(last ?? '')]).toEqual([name, name.includes('/api/v0/')]);
  });

  it('closes request bodies, marks v0 as deprecated, and lists the security of each operation', () => {
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

  it('has the multipart form of an upload next to its JSON body, and a second status for an existing request', () => {
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
});
