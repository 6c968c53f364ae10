import type { OpenAPIObject } from '@nestjs/swagger';

interface Operation {
  readonly summary?: string;
  readonly description?: string;
  readonly tags?: readonly string[];
  readonly security?: readonly object[];
  readonly parameters?: readonly Parameter[];
  readonly responses?: Readonly<Record<string, { readonly headers?: Readonly<Record<string, unknown>> }>>;
}
interface Parameter {
  readonly name: string;
  readonly in: string;
  readonly description?: string;
}

/** The tag of all deprecated operations. */
const OLD = 'v0';
const OLD_PATHS = '/api/v0/';
/** The descriptions of tags that controllers use and that neither document describes. */
const DESCRIPTIONS: Readonly<Record<string, string>> = {
  accounts: 'Freezing, releasing and closing accounts',
  'address reviews': 'Reviews of addresses on sanctions lists',
  assets: 'Asset pairs that can be converted',
  books: 'Reports on FX and IOF',
  deposits: 'Deposits of every account',
  quotes: 'Quotes with their explanations',
  'screening findings': 'New hits on people of accounts, and liveness sessions that failed after the approval',
  transfers: 'Tokens that move on chain',
  wallets: 'Wallets of an account',
  withdrawals: 'Withdrawals of every account',
  [OLD]: 'The previous version. Deprecated: use the operation of v1',
};
const NEXT_PAGE = '`X-Next-Cursor` contains the cursor of the next page.';
const PARAMETERS: Readonly<Record<string, string>> = { version: 'The version of the pricing rules' };

/**
 * Pure: adds what tools and readers expect of each operation: a description, a described tag, and its security even if
 * it needs none. Operations of v0 get their own tag and are moved to the end. Unused components are removed.
 */
export function complete(document: OpenAPIObject): OpenAPIObject {
  const entries = Object.entries(document.paths).map(([path, item]): [string, Record<string, Operation>] => [
    path,
    Object.fromEntries(
      Object.entries(item as Record<string, Operation>).map(([method, one]) => [method, described(path, one)]),
    ),
  ]);
  const isOld = ([path]: [string, object]): boolean => path.startsWith(OLD_PATHS);
  const paths = Object.fromEntries([...entries.filter((one) => !isOld(one)), ...entries.filter(isOld)]);
  const whole = {
    ...document,
    info: { ...document.info, license: { name: 'Proprietary', identifier: 'LicenseRef-Proprietary' } },
    servers: [{ url: '/', description: 'The installation that serves this document' }],
    tags: tagsOf(
      document.tags ?? [],
      entries.flatMap(([, item]) => Object.values(item).flatMap(({ tags = [] }) => tags)),
    ),
    paths: paths as OpenAPIObject['paths'],
    ...withDescribedWebhooks(document),
  };
  return withoutUnused(withoutNullable(whole));
}

function described(path: string, operation: Operation): Operation {
  const { summary = '', description, tags = [], security, parameters = [] } = operation;
  return {
    ...operation,
    description: description || descriptionOf(summary, operation),
    tags: path.startsWith(OLD_PATHS) ? [OLD] : tags,
    security: security ?? [],
    parameters: parameters.map((one) =>
      one.description ? one : { ...one, description: PARAMETERS[one.name] ?? one.name },
    ),
  };
}

function descriptionOf(summary: string, { parameters = [], responses = {} }: Operation): string {
  const paged = Object.values(responses).some(({ headers = {} }) => 'X-Next-Cursor' in headers);
  const keyed = parameters.some(({ in: place, name }) => place === 'header' && name === 'Idempotency-Key');
  return [
    `${summary.replace(/\.$/, '')}.`,
    ...(paged ? [`${/\bfirst\b/.test(summary) ? '' : 'Newest first; '}${NEXT_PAGE}`] : []),
    ...(keyed ? ['Send an `Idempotency-Key`: a repetition with the same key and body has the same result.'] : []),
  ].join(' ');
}

/** Webhooks are signed and have no credentials. */
function withDescribedWebhooks({ webhooks }: { readonly webhooks?: unknown }): object {
  if (webhooks === undefined) return {};
  const items = Object.entries(webhooks as Record<string, { readonly post: Operation }>);
  const complete = ({ post }: { readonly post: Operation }): Operation => ({
    ...post,
    description: post.description || `${post.summary ?? ''}.`,
    security: [],
  });
  return { webhooks: Object.fromEntries(items.map(([name, item]) => [name, { ...item, post: complete(item) }])) };
}

type Tag = NonNullable<OpenAPIObject['tags']>[number];

/** The tags in use, in the order of the document, each with a description; v0 comes last. */
function tagsOf(listed: readonly Tag[], used: readonly string[]): Tag[] {
  const names = new Set(
    [...listed.map(({ name }) => name), ...used].filter((name) => name !== OLD && used.includes(name)),
  );
  if (used.includes(OLD)) names.add(OLD);
  return [...names].map(
    (name) =>
      listed.find((tag) => tag.name === name) ?? {
        name,
        description: DESCRIPTIONS[name] ?? `Operations about ${name}`,
      },
  );
}

/** Converts `nullable`, a keyword of OpenAPI 3.0, below the fields of a schema to a type. */
function withoutNullable<T>(value: T): T {
  if (Array.isArray(value)) return value.map(withoutNullable) as T;
  if (value === null || typeof value !== 'object') return value;
  const { nullable, ...rest } = Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      key === 'example' || key === 'examples' ? inner : withoutNullable(inner as unknown),
    ]),
  ) as Record<string, unknown>;
  if (typeof nullable !== 'boolean') return (nullable === undefined ? rest : { ...rest, nullable }) as T;
  return (nullable && typeof rest['type'] === 'string' ? { ...rest, type: [rest['type'], 'null'] } : rest) as T;
}

/** Repeats until nothing changes, because a removed component may have been the last to refer to another. */
function withoutUnused(document: OpenAPIObject): OpenAPIObject {
  const text = JSON.stringify(document);
  const { securitySchemes, ...kinds } = document.components ?? {};
  const used = Object.fromEntries(
    Object.entries(kinds).map(([kind, components]) => [
      kind,
      Object.fromEntries(
        Object.entries(components as object).filter(([name]) => text.includes(`"#/components/${kind}/${name}"`)),
      ),
    ]),
  );
  const next = { ...document, components: { ...used, ...(securitySchemes ? { securitySchemes } : {}) } };
  return JSON.stringify(next).length === text.length ? next : withoutUnused(next);
}
