import { readFileSync } from 'node:fs';
import { Command } from 'commander';
import { OPERATIONS } from '@ponte/sdk';
import type { OperationId } from '@ponte/sdk';
import { usage } from '../failures';
import { printable } from '../output';
import type { Host } from '../session';
import { keyOf, Session } from '../session';
import type { ApiDocument } from './operation-help';
import { operationIn, textOfOperation } from './operation-help';

interface CallOptions {
  readonly param: readonly string[];
  readonly query: readonly string[];
  readonly body?: string;
  readonly idempotencyKey?: string;
  readonly help?: true;
}

const ACCOUNT = 'account-id';
const NO_OPERATION = "error: missing required argument 'operation'";

const collect = (value: string, before: readonly string[]): readonly string[] => [...before, value];

/** `call` calls any operation by its id and prints the response as JSON. */
export const callCommand = (host: Host): Command =>
  new Command('call')
    .description('call any operation of the API by its id, and print the response as JSON')
    .argument('[operation]', 'the operation id, for example get-limits')
    // A help option of Commander would not know the operation.
    .helpOption(false)
    .option('-h, --help', 'display help for command; with an operation, what it takes and which errors it has')
    .option('--param <name=value>', 'a path parameter (default for account-id: that of the profile)', collect, [])
    .option('--query <name=value>', 'a query parameter; repeat the option to pass a list', collect, [])
    .option('--body <json>', 'the request body, or @ followed by the name of a file that holds it')
    .option('--idempotency-key <key>', 'the idempotency key of an earlier request, to repeat it safely')
    .action(async (id: string | undefined, options: CallOptions, command: Command) => {
      if (id === undefined) return options.help ? command.outputHelp() : command.error(NO_OPERATION);
      const session = Session.of(host, command);
      if (options.help) return describe(session, id);
      const answer: unknown = await call(session, id, options);
      session.output.result(answer ?? null, () => JSON.stringify(answer ?? null, null, 2));
    });

/** Reads the document that the API serves, so that the description is always that of the installation. */
async function describe(session: Session, id: string): Promise<void> {
  const baseUrl = session.profile['base-url'];
  if (baseUrl === undefined) throw usage('A base URL is required.', 'Pass --base-url <url>, or sign in.');
  const response = await fetch(new URL('/openapi.json', baseUrl), { signal: session.signal });
  if (!response.ok) throw new Error(`${baseUrl} has no OpenAPI document: its status is ${response.status}`);
  const described = operationIn((await response.json()) as ApiDocument, id);
  if (!described) throw usage(`Unknown operation: ${id}.`, `Pass one of: ${Object.keys(OPERATIONS).join(', ')}.`);
  session.output.result(described, () => textOfOperation(described));
}

async function call(session: Session, id: string, options: CallOptions): Promise<unknown> {
  const operation = Object.hasOwn(OPERATIONS, id) ? OPERATIONS[id as OperationId] : undefined;
  if (!operation) throw usage(`Unknown operation: ${id}.`, `Pass one of: ${Object.keys(OPERATIONS).join(', ')}.`);
  const path = pathOf(session, id, operation.path, options.param);
  if (!operation.body && options.body !== undefined) throw usage(`${id} does not accept a body.`);
  if (!operation.query && options.query.length > 0) throw usage(`${id} has no query parameters.`);
  const method = (session.ponte as unknown as Record<string, (...values: unknown[]) => PromiseLike<unknown>>)[
    camel(id)
  ];
  const answer = await method?.call(
    session.ponte,
    ...path,
    ...(operation.body ? [bodyOf(options.body ?? '{}')] : []),
    ...(operation.query ? [queryOf(options.query)] : []),
    { signal: session.signal, ...keyOf(options) },
  );
  if (!operation.paged) return answer;
  const { body, nextCursor } = answer as { body: unknown; nextCursor: string | null };
  if (nextCursor !== null)
    session.output.note(`There are more entries. For the next page, add --query cursor=${printable(nextCursor)}`, {
      'next-cursor': nextCursor,
    });
  return body;
}

/** The parameters of the path, in order. One that the path does not have may be a misspelt account: it is refused. */
function pathOf(session: Session, id: string, template: string, pairs: readonly string[]): string[] {
  const given = new Map(pairs.map(pairOf));
  const names = [...template.matchAll(/\{([^}]+)\}/g)].map(([, name = '']) => name);
  const unknown = [...given.keys()].find((name) => !names.includes(name));
  if (unknown !== undefined)
    throw usage(
      `${id} has no parameter ${unknown}.`,
      names.length > 0 ? `Its parameters: ${names.join(', ')}.` : 'It has no parameters.',
    );
  if (given.size < pairs.length) throw usage('Pass each parameter only once.');
  return names.map((name) => {
    const value = given.get(name) ?? (name === ACCOUNT ? session.accountId : undefined);
    if (!value) throw usage(`${id} requires the parameter ${name}.`, `Pass --param ${name}=<value>.`);
    return value;
  });
}

const camel = (id: string): string => id.replace(/-([a-z0-9])/g, (_, letter: string) => letter.toUpperCase());

function pairOf(text: string): [string, string] {
  const at = text.indexOf('=');
  if (at < 1) throw usage(`${text} is not in the form name=value.`);
  return [text.slice(0, at), text.slice(at + 1)];
}

function queryOf(pairs: readonly string[]): Record<string, string[]> {
  const query = new Map<string, string[]>();
  for (const [name, value] of pairs.map(pairOf)) query.set(name, [...(query.get(name) ?? []), value]);
  return Object.fromEntries(query);
}

function bodyOf(text: string): unknown {
  const json = text.startsWith('@') ? content(text.slice(1)) : text;
  try {
    return JSON.parse(json) as unknown;
  } catch (error) {
    throw usage(
      `The body is not JSON: ${(error as Error).message}.`,
      'Pass JSON, or @ and the path of a file with JSON.',
    );
  }
}

function content(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    throw usage(`The file of the body cannot be read: ${path}.`);
  }
}
