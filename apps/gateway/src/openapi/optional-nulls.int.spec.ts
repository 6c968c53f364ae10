import 'reflect-metadata';
import { randomUUID } from 'node:crypto';
import type { GatewayUnderTest } from '../testing/gateway-under-test';
import { startGateway } from '../testing/gateway-under-test';
import type { RouteCase } from '../testing/route-case';
import { requestOf } from '../testing/route-case';
import { ROUTES } from '../testing/routes';
import { CHILD } from '../testing/accounts';
import { KEY } from '../testing/api-keys';

interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly example?: unknown;
  readonly enum?: readonly unknown[];
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly allOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
}
interface Operation {
  readonly operationId: string;
  readonly requestBody?: {
    content: { 'application/json': { schema: Schema; examples: Record<string, { value: Body }> } };
  };
}
type Body = Record<string, unknown>;
type Path = readonly (string | number)[];

let gateway: GatewayUnderTest;
let schemas: Record<string, Schema>;
let operations: Operation[];
beforeAll(async () => {
  gateway = await startGateway();
  const document = (await gateway.app.inject({ url: '/openapi.json' })).json<{
    paths: Record<string, Record<string, Operation>>;
    components: { schemas: Record<string, Schema> };
  }>();
  schemas = document.components.schemas;
  operations = Object.values(document.paths)
    .flatMap((item) => Object.values(item))
    .filter(({ requestBody }) => requestBody);
});
afterAll(() => gateway.stop());

const resolved = (schema: Schema): Schema => {
  const inner = schema.$ref ? schemas[schema.$ref.replace('#/components/schemas/', '')] : undefined;
  const other =
    schema.allOf?.[0] ?? schema.anyOf?.find((one) => one.type !== 'null') ?? schema.oneOf?.find((one) => one.$ref);
  return inner ?? (other ? resolved(other) : schema);
};

/** A value of the schema with every declared field for which the document has an example. */
function whole(schema: Schema): unknown {
  const { properties, items, example } = resolved(schema);
  if (schema.example !== undefined) return schema.example;
  if (properties) return Object.fromEntries(Object.entries(properties).map(([name, one]) => [name, whole(one)]));
  return items && resolved(items).properties ? [whole(items)] : example;
}

/** The paths of the optional fields of a body, at any depth. */
function optionalPlaces(schema: Schema, path: Path = []): Path[] {
  const { properties = {}, required = [], items } = resolved(schema);
  if (items) return optionalPlaces(items, [...path, 0]);
  return Object.entries(properties).flatMap(([name, one]) => [
    ...(required.includes(name) ? [] : [[...path, name]]),
    ...optionalPlaces(one, [...path, name]),
  ]);
}

/** The body with a change at a path. Parts above it that the example leaves out are filled in. */
function changed(body: Body, schema: Schema, path: Path, change: (parent: Body, name: string) => void): Body {
  const copy = structuredClone(body);
  const full = whole(schema) as Body;
  const parent = path.slice(0, -1).reduce<{ here: Body; full: Body }>(
    ({ here, full: model }, step) => {
      here[step] ??= structuredClone(model[step] ?? (typeof path[path.indexOf(step) + 1] === 'number' ? [{}] : {}));
      return { here: here[step] as Body, full: (model[step] ?? {}) as Body };
    },
    { here: copy, full },
  );
  change(parent.here, String(path.at(-1)));
  return copy;
}

describe('an optional field of a request that is null', () => {
  it('is treated as absent by every operation of the document', async () => {
    const seen: string[] = [];
    for (const { operationId, requestBody } of operations) {
      const route = ROUTES.find(({ id }) => id === operationId);
      if (!route || !requestBody) throw new Error(`no request for ${operationId}`);
      const { schema, examples } = requestBody.content['application/json'];
      const example = Object.values(examples)[0]?.value ?? {};
      for (const path of optionalPlaces(schema)) {
        const authorization = route.reach === 'staff' ? `Staff ${gateway.staffToken}` : `Bearer ${KEY.partner}`;
        const headers = { authorization, 'idempotency-key': randomUUID() };
        const send = (body: Body) => gateway.app.inject(requestOf({ ...route, body }, CHILD, headers));
        const absent = await send(
          changed(example, schema, path, (parent, name) => {
            delete parent[name];
          }),
        );
        const nulled = await send(
          changed(example, schema, path, (parent, name) => {
            parent[name] = null;
          }),
        );
        const place = `${operationId} ${path.join('.')}`;
        seen.push(place);
        // The same body with the same key is the same request, so its stored response is returned.
        const isStored = absent.statusCode < 300 || absent.statusCode === 422;
        expect([place, nulled.statusCode, nulled.headers['idempotency-replayed']]).toEqual([
          place,
          absent.statusCode,
          isStored ? 'true' : undefined,
        ]);
        expect([place, nulled.json()]).toEqual([place, absent.json()]);
      }
    }
    expect(seen).toEqual(
      expect.arrayContaining([
        'create-quote trade-reason',
        'create-order source-payment-method',
        'create-account-request representative',
        'create-account-request pep.role',
        'create-account-request representative.document.back-file-id',
        'create-account-request external-wallets.0.proof',
        'provide-information document.back-file-id',
      ]),
    );
  });

  it('is allowed by the schema of every request', () => {
    const accepts = (schema: Schema): boolean =>
      (schema.type ?? []).includes('null') || (schema.anyOf ?? []).some(({ type }) => type === 'null');
    const refusing = operations.flatMap(({ operationId, requestBody }) => {
      const { schema } = requestBody?.content['application/json'] ?? { schema: {} };
      const { properties = {}, required = [] } = resolved(schema);
      return Object.entries(properties)
        .filter(([name, one]) => !required.includes(name) && !accepts(one))
        .map(([name]) => `${operationId} ${name}`);
    });
    expect(refusing).toEqual([]);
  });

  it('is still an error if the field is required', async () => {
    const route = ROUTES.find(({ id }) => id === 'create-quote') as RouteCase;
    const answer = await gateway.app.inject(
      requestOf(
        { ...route, body: { 'source-asset': null, 'target-asset': 'eth-base/brlv', 'source-amount': '1.00' } },
        CHILD,
        { authorization: `Bearer ${KEY.partner}` },
      ),
    );
    expect([answer.statusCode, answer.json<{ error: { code: string } }>().error.code]).toEqual([400, 'invalid-type']);
  });
});
