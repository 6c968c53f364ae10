import { servedTexts } from '../../../clients/testing/served-texts';
import type { Client, Json } from '../../testing/client';

/** The callers that may use an operation according to the document. */
type Access = 'public' | 'partner' | 'staff';

export interface Operation {
  readonly id: string;
  readonly method: string;
  /** With parameters in braces. */
  readonly path: string;
  readonly access: Access;
  /** True for operations that may change something. */
  readonly writes: boolean;
  /** True if the path contains the account. */
  readonly onAccount: boolean;
  readonly statuses: ReadonlySet<number>;
  /** True for an event stream, whose response does not end. */
  readonly streams: boolean;
  /** The example body in the document; undefined for an operation without a body. */
  readonly example: Json | undefined;
}

interface Described {
  readonly operationId: string;
  readonly security?: readonly Json[];
  readonly responses: Json;
  readonly requestBody?: {
    readonly content: {
      readonly 'application/json'?: { readonly examples: { readonly example: { readonly value: Json } } };
    };
  };
}

interface Document {
  readonly paths: Record<string, Record<string, Described>>;
}

/** Reads the operations of `/openapi.json`, and the operator operations that the management port describes. */
export async function operationsOf(client: Client): Promise<Operation[]> {
  const { paths } = await client.get<Document>('/openapi.json');
  const staff = JSON.parse((await servedTexts()).staff) as Document;
  const operators = Object.entries(staff.paths).filter(([path]) => !path.startsWith('/staff/v1/'));
  return [...Object.entries(paths), ...operators].flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]): Operation => ({
      id: described.operationId,
      method: method.toUpperCase(),
      path,
      access: accessOf(described),
      writes: method !== 'get',
      onAccount: path.includes('{account-id}'),
      statuses: new Set(Object.keys(described.responses).map(Number)),
      streams: JSON.stringify(described.responses['200'] ?? {}).includes('text/event-stream'),
      example: described.requestBody?.content['application/json']?.examples.example.value,
    })),
  );
}

function accessOf({ security }: Described): Access {
  if (!security || security.length === 0) return 'public';
  return security.some((one) => 'staff' in one) ? 'staff' : 'partner';
}

/** Fills in the parameters of the path. A parameter without its own value gets `id`. */
export const filled = (
  { path }: Operation,
  parameters: Readonly<Record<string, string>> & { readonly id: string },
): string => path.replace(/\{([a-z-]+)\}/g, (_, name: string) => encodeURIComponent(parameters[name] ?? parameters.id));
