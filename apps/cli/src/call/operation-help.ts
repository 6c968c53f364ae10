import { fields } from '../output';

interface Schema {
  readonly $ref?: string;
  readonly type?: string | readonly string[];
  readonly description?: string;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly enum?: readonly unknown[];
  readonly allOf?: readonly Schema[];
}
interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly description?: string;
  readonly required?: boolean;
}
interface Operation {
  readonly operationId: string;
  readonly summary?: string;
  readonly parameters?: readonly Parameter[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { readonly schema?: Schema }>> };
  readonly responses: Readonly<Record<string, { readonly description?: string }>>;
}

/** The parts of the API's OpenAPI document that the help of an operation needs. */
export interface ApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

/** What an operation takes and returns: descriptions by name, and error codes by status. */
interface OperationHelp {
  readonly call: string;
  readonly summary: string;
  readonly parameters: Readonly<Record<string, string>>;
  readonly body: Readonly<Record<string, string>>;
  readonly errors: Readonly<Record<string, string>>;
}

/** The description of an operation; undefined if the document does not have it. */
export function operationIn({ paths, components: { schemas } }: ApiDocument, id: string): OperationHelp | undefined {
  const resolved = (schema: Schema): Schema => {
    const name = (schema.$ref ?? schema.allOf?.[0]?.$ref)?.split('/').at(-1);
    return name === undefined ? schema : (schemas[name] ?? schema);
  };
  for (const [path, methods] of Object.entries(paths))
    for (const [method, one] of Object.entries(methods)) {
      if (one.operationId !== id) continue;
      const { properties = {}, required = [] } = resolved(one.requestBody?.content['application/json']?.schema ?? {});
      return {
        call: `${method.toUpperCase()} ${path}`,
        summary: one.summary ?? '',
        parameters: Object.fromEntries(
          (one.parameters ?? []).map((of) => [`${of.name} (${of.in})`, line(of.description, of.required)]),
        ),
        body: Object.fromEntries(
          Object.entries(properties).map(([name, schema]) => [
            name,
            line(schema.description, required.includes(name), schema.enum ?? resolved(schema).enum),
          ]),
        ),
        errors: Object.fromEntries(
          Object.entries(one.responses)
            .filter(([status]) => Number(status) >= 400)
            .map(([status, { description = '' }]) => [status, description.replaceAll('`', '')]),
        ),
      };
    }
  return undefined;
}

function line(description = '', required = false, values: readonly unknown[] = []): string {
  // A field that may be null is as good as absent.
  const accepted = values.filter((value) => value !== null);
  const choice = accepted.length > 0 ? `one of ${accepted.join(', ')}` : '';
  return [required ? 'required' : 'optional', description, choice].filter((part) => part !== '').join('; ');
}

/** The description as text for people. Parts that the operation does not have are left out. */
export function textOfOperation({ call, summary, parameters, body, errors }: OperationHelp): string {
  const sections = { Parameters: parameters, 'Body fields': body, Errors: errors };
  return [
    `${summary}\n${call}`,
    ...Object.entries(sections)
      .filter(([, values]) => Object.keys(values).length > 0)
      .map(([title, values]) => `${title}:\n${fields(values).replace(/^/gm, '  ')}`),
  ].join('\n\n');
}
