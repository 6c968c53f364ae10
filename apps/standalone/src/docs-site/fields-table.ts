import { table } from './table';

interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly description?: string;
  readonly required?: readonly string[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly allOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
}

interface Operation {
  readonly summary: string;
  readonly description?: string;
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
}

/** The parts of the OpenAPI document that the guides print. */
export interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly webhooks: Readonly<
    Record<string, { readonly post: { readonly summary?: string; readonly description?: string } }>
  >;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

/** A table of all fields of the JSON body of a POST, with paths for nested fields. */
export function fieldsTable(document: Document, path: string): string {
  const body = document.paths[path]?.['post']?.requestBody?.content['application/json']?.schema ?? {};
  return table(['Field', 'Required', 'Type', 'Meaning'], rowsOf(document, body, ''));
}

function rowsOf(document: Document, schema: Schema, prefix: string): string[][] {
  const { properties = {}, required = [] } = resolved(document, schema);
  return Object.entries(properties).flatMap(([name, member]) => {
    const inner = resolved(document, member);
    const list = inner.items === undefined ? null : resolved(document, inner.items);
    const nested = list?.properties ? list : inner;
    const path = `${prefix}${name}${list?.properties ? '[]' : ''}`;
    const row = [
      `\`${path}\``,
      required.includes(name) ? 'yes' : 'no',
      typeOf(inner, list),
      member.description ?? inner.description ?? '',
    ];
    return [row, ...(nested.properties ? rowsOf(document, nested, `${path}.`) : [])];
  });
}

function typeOf(schema: Schema, list: Schema | null): string {
  const values = (schema.enum ?? list?.enum)?.filter((one) => one !== null);
  if (values) return values.map((one) => `\`${String(one)}\``).join(', ');
  const type = [schema.type ?? 'object']
    .flat()
    .filter((one) => one !== 'null')
    .join(' or ');
  return schema.format === undefined ? type : `${type} (${schema.format})`;
}

/** The schema without references. Of several alternatives it is an object, because the table lists its fields. */
function resolved(document: Document, schema: Schema): Schema {
  if (schema.$ref !== undefined)
    return resolved(document, document.components.schemas[schema.$ref.split('/').at(-1) ?? ''] ?? {});
  const others = (schema.allOf ?? schema.anyOf ?? schema.oneOf)?.map((one) => resolved(document, one)) ?? [];
  const other = others.find(({ properties }) => properties) ?? others.find(({ type }) => type !== 'null');
  return other === undefined
    ? schema
    : {
        ...other,
        ...(schema.description === undefined ? {} : { description: schema.description }),
      };
}
