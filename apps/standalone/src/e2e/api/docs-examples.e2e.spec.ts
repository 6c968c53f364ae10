import type { InProcessCluster } from '../testing/in-process';
import { startInProcess } from '../testing/in-process';
import { SUITE_MS } from '../testing/program';

jest.setTimeout(SUITE_MS);

interface Sent {
  readonly url: string;
  readonly method: string;
  readonly headers: Record<string, string>;
  readonly body?: string;
}
/**
 * The options that the page passes to Swagger UI. The interceptors fill in the examples and remember ids from
 * responses.
 */
interface Page {
  readonly requestInterceptor: (request: Sent) => Promise<Sent>;
  readonly responseInterceptor: (response: { readonly obj: unknown }) => unknown;
  readonly onComplete: () => void;
}
interface Operation {
  readonly operationId: string;
  readonly parameters?: readonly { readonly name: string; readonly in: string; readonly example?: string }[];
  readonly requestBody?: {
    readonly content: {
      readonly 'application/json': { readonly examples: Record<string, { readonly value: unknown }> };
    };
  };
}

/**
 * Operations that this partner cannot use: a partner in kyc mode may not create accounts or reliance requests, it has
 * no order of its own, and a decision needs a waiting request.
 */
const NOT_FOR_THIS_PARTNER = [
  'create-account',
  'create-reliance-request',
  'create-reliance-request-short',
  'provide-information',
  'decide-account-request',
  'simulate-pix-payment',
  'get-order-v0',
];

let cluster: InProcessCluster;
let page: Page;
let operations: { readonly method: string; readonly path: string; readonly operation: Operation }[];
beforeAll(async () => {
  cluster = await startInProcess({});
  const baseUrl = cluster.sandbox['base-url'];
  const script = await (await fetch(`${baseUrl}/docs/reference/start.js`)).text();
  const kept = new Map<string, string>();
  const storage = {
    setItem: (name: string, value: string) => kept.set(name, value),
    getItem: (name: string) => kept.get(name) ?? null,
  };
  const presented: string[][] = [];
  const viewer = (options: Page) => {
    page = options;
    return { preauthorizeApiKey: (...given: string[]) => presented.push(given) };
  };
  const names = ['SwaggerUIBundle', 'sessionStorage', 'location', 'history', 'matchMedia', 'document'];
  const darkMode = { matches: false, addEventListener: () => undefined };
  // Runs the page's own script as a browser does.
  (new Function(...names, script) as (...globals: unknown[]) => void)(
    viewer,
    storage,
    new URL(`${baseUrl}/docs/reference#key=${cluster.sandbox['api-key']}`),
    { replaceState: () => undefined },
    () => darkMode,
    { documentElement: { classList: { toggle: () => false } } },
  );
  page.onComplete();
  expect([...kept.values()]).toEqual([cluster.sandbox['api-key']]);
  expect(presented).toEqual([['sandbox-key', cluster.sandbox['api-key']]]);
  const { paths } = (await (await fetch(`${baseUrl}/openapi.json`)).json()) as {
    paths: Record<string, Record<string, Operation>>;
  };
  operations = Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => ({ method, path, operation })),
  );
});
afterAll(() => cluster.close());

/** Sends the documented example of an operation as the viewer does. Returns the status. */
async function tryOut({ method, path, operation }: (typeof operations)[number]): Promise<number> {
  const { sandbox } = cluster;
  const example = Object.values(operation.requestBody?.content['application/json'].examples ?? {})[0]?.value;
  const filled = (operation.parameters ?? [])
    .filter((one) => one.in === 'path')
    .reduce((url, { name, example: id = '' }) => url.replace(`{${name}}`, id), path);
  const headers: Record<string, string> = {
    authorization: `Bearer ${sandbox['api-key']}`,
    ...(example === undefined ? {} : { 'content-type': 'application/json' }),
  };
  const request = await page.requestInterceptor({
    url: `${sandbox['base-url']}${filled}`,
    method: method.toUpperCase(),
    headers,
    ...(example === undefined ? {} : { body: JSON.stringify(example) }),
  });
  const response = await fetch(request.url, request);
  if (response.status !== 204) page.responseInterceptor({ obj: await response.json() });
  return response.status;
}

describe('the examples of the document on the docs page', () => {
  it('can be sent unchanged twice, both to create and to read resources', async () => {
    const partner = operations.filter(
      ({ path, operation: { operationId } }) => path.startsWith('/api/') && !NOT_FOR_THIS_PARTNER.includes(operationId),
    );
    const creating = [
      'upload-file',
      'create-quote',
      'create-order',
      'create-account-request',
      'create-webhook-endpoint',
    ];
    for (const id of creating) {
      const one = partner.find(({ operation }) => operation.operationId === id);
      if (!one) throw new Error(`no operation ${id}`);
      const statuses = [await tryOut(one), await tryOut(one)];
      expect([id, statuses]).toEqual([
        id,
        id === 'upload-file' || id === 'create-account-request' ? [201, 201] : [200, 200],
      ]);
    }
    const withoutExample =
      /^stream-|^get-(quote$|webhook-delivery|deposit|transfer|nft-transfer|withdrawal|asset-withdrawal|wallet)/;
    for (const one of partner.filter(
      ({ method, operation: { operationId } }) => method === 'get' && !withoutExample.test(operationId),
    )) {
      expect([one.operation.operationId, await tryOut(one), await tryOut(one)]).toEqual([
        one.operation.operationId,
        200,
        200,
      ]);
    }
  });
});
