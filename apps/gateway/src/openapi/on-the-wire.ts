import type { OpenAPIObject } from '@nestjs/swagger';
import { togetherOf } from '../validation/together';
import { FORM_EXTENSION } from './operation-documentation';
import { RESPONSE_HEADERS, withResponseHeaders } from './response-headers';
import { pathParameters, publicPath } from './path-parameters';

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

/** Pure: declares path parameters under their public names and marks request bodies as closed to additional fields. */
export function onTheWire(document: OpenAPIObject): OpenAPIObject {
  const paths = Object.entries(document.paths).map(([path, item]) => {
    const declared = pathParameters(path);
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
    return [publicPath(path), Object.fromEntries(operations)] as const;
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

export interface Operation {
  readonly parameters?: readonly object[];
  readonly requestBody?: {
    readonly required?: boolean;
    readonly content?: Readonly<Record<string, { readonly schema?: { readonly $ref?: string } }>>;
  };
  readonly security?: readonly object[];
  readonly responses?: Readonly<Record<string, { readonly headers?: object }>>;
  readonly [FORM_EXTENSION]?: object;
}

/** Adds the multipart form next to the JSON body. */
function withForm(operation: Operation): Operation {
  const { [FORM_EXTENSION]: form, requestBody, ...rest } = operation;
  if (!form) return operation;
  return {
    ...rest,
    requestBody: { ...requestBody, content: { ...requestBody?.content, 'multipart/form-data': form } },
  };
}

/** Converts `nullable`, a keyword of OpenAPI 3.0; in 3.1 null is a type. */
const withNulls = (schema: Schema): Schema =>
  mapProperties(schema, (property) => {
    const { nullable, ...rest } = property;
    return nullable ? orNull(rest) : rest;
  });

/** In a request, an optional field that is null counts as absent, so its schema accepts null. */
const withOptionalNulls = (schema: Schema): Schema =>
  mapProperties(schema, (property, name) =>
    schema.required?.includes(name) || acceptsNull(property) ? property : orNull(property),
  );

const acceptsNull = ({ type, anyOf }: Property): boolean =>
  (Array.isArray(type) && type.includes('null')) || (anyOf ?? []).some((one) => (one as Property).type === 'null');

function orNull({ description, ...property }: Property): Property {
  const described = description === undefined ? {} : { description };
  // An object by reference: with a null in `type`, every schema of `allOf` would still apply.
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

type Paths = Readonly<Record<string, Readonly<Record<string, Operation>>>>;

/** Makes a body optional where an empty object is accepted, because a missing body counts as one. */
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

/** The schemas that a part of the document refers to, directly or through others. */
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
