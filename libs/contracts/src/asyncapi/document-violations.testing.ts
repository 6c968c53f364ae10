type Json = Readonly<Record<string, unknown>>;

/** The required and optional fields of AsyncAPI 3.0 objects, as far as our documents use them. */
const OBJECTS: Readonly<Record<string, { required: readonly string[]; optional: readonly string[] }>> = {
  document: {
    required: ['asyncapi', 'info', 'channels'],
    optional: ['id', 'defaultContentType', 'servers', 'operations', 'components'],
  },
  info: {
    required: ['title', 'version'],
    optional: ['description', 'termsOfService', 'contact', 'license', 'tags', 'externalDocs'],
  },
  channel: {
    required: ['address', 'messages'],
    optional: ['title', 'summary', 'description', 'servers', 'parameters', 'tags', 'externalDocs', 'bindings'],
  },
  operation: {
    required: ['action', 'channel'],
    optional: ['title', 'summary', 'description', 'security', 'tags', 'externalDocs', 'bindings', 'traits', 'messages'],
  },
  message: {
    required: ['payload'],
    optional: [
      ...['headers', 'correlationId', 'contentType', 'name', 'title', 'summary', 'description', 'tags'],
      ...['externalDocs', 'bindings', 'examples', 'traits'],
    ],
  },
};
const ACTIONS = ['send', 'receive'];
const SCHEMA_TYPES = ['null', 'boolean', 'object', 'array', 'number', 'integer', 'string'];

const isObject = (value: unknown): value is Json =>
  value !== null && typeof value === 'object' && !Array.isArray(value);
const entriesOf = (value: unknown): [string, unknown][] => (isObject(value) ? Object.entries(value) : []);

/** The value that a local reference points to; undefined when it does not exist or the reference is not local. */
function resolveRef(document: unknown, ref: string): unknown {
  if (!ref.startsWith('#/')) return undefined;
  const names = ref
    .slice(2)
    .split('/')
    .map((name) => name.replaceAll('~1', '/').replaceAll('~0', '~'));
  return names.reduce<unknown>(
    (at, name) => (isObject(at) && Object.hasOwn(at, name) ? at[name] : undefined),
    document,
  );
}

function memberViolations(kind: string, value: unknown, path: string): string[] {
  const { required, optional } = OBJECTS[kind] ?? { required: [], optional: [] };
  if (!isObject(value)) return [`${path}: must be an object`];
  return [
    ...required.filter((name) => !(name in value)).map((name) => `${path}/${name}: is required`),
    ...Object.keys(value)
      .filter((name) => !required.includes(name) && !optional.includes(name) && !name.startsWith('x-'))
      .map((name) => `${path}/${name}: AsyncAPI 3.0 does not define this member here`),
  ];
}

/** Checks references and types of a value and everything below it. Examples are skipped, since they are data. */
function nestedViolations(document: unknown, value: unknown, path: string): string[] {
  if (Array.isArray(value)) return value.flatMap((one, at) => nestedViolations(document, one, `${path}/${at}`));
  if (!isObject(value)) return [];
  const found: string[] = [];
  const { $ref, type } = value;
  if (typeof $ref === 'string' && resolveRef(document, $ref) === undefined)
    found.push(`${path}: ${$ref} does not exist`);
  const isSchema = path.includes('/payload') || path.includes('/headers') || path.startsWith('/components/schemas');
  const isMemberName = /\/(properties|schemas|\$defs)$/.test(path);
  if (isSchema && !isMemberName && type !== undefined)
    for (const one of [type].flat())
      if (!SCHEMA_TYPES.includes(one as string)) found.push(`${path}/type: ${String(one)} is not a JSON Schema type`);
  const isData = (name: string): boolean =>
    !isMemberName && ['examples', 'example', 'const', 'enum', 'default'].includes(name);
  return [
    ...found,
    ...Object.entries(value).flatMap(([name, inner]) =>
      isData(name) ? [] : nestedViolations(document, inner, `${path}/${name}`),
    ),
  ];
}

/**
 * Checks a document of ours against AsyncAPI 3.0: unknown or missing fields, broken references, operations without a
 * channel, messages outside the components. These are the rules that a change of the contracts can break; the linter of
 * `npm run test:clients` applies all rules of the standard.
 */
export function asyncApiViolations(document: unknown): readonly string[] {
  if (!isObject(document)) return ['/: must be an object'];
  const { channels, operations, components } = document;
  const kept = isObject(components) ? components : {};
  return [
    ...(document['asyncapi'] === '3.0.0' ? [] : ['/asyncapi: must be 3.0.0']),
    ...memberViolations('document', document, ''),
    ...memberViolations('info', document['info'], '/info'),
    ...entriesOf(channels).flatMap(([name, channel]) => memberViolations('channel', channel, `/channels/${name}`)),
    ...entriesOf(operations).flatMap(([name, operation]) =>
      operationViolations(document, operation, `/operations/${name}`),
    ),
    ...entriesOf(kept['messages']).flatMap(([name, message]) =>
      memberViolations('message', message, `/components/messages/${name}`),
    ),
    ...nestedViolations(document, document, ''),
  ];
}

function operationViolations(document: Json, operation: unknown, path: string): string[] {
  const { action, channel } = isObject(operation) ? operation : {};
  const ref = isObject(channel) ? channel['$ref'] : undefined;
  return [
    ...memberViolations('operation', operation, path),
    ...(ACTIONS.includes(action as string) ? [] : [`${path}/action: must be send or receive`]),
    ...(typeof ref === 'string' && /^#\/channels\/[^/]+$/.test(ref) && isObject(resolveRef(document, ref))
      ? []
      : [`${path}/channel: must refer to a channel of the document`]),
  ];
}
