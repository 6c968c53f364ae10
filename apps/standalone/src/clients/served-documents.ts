import { startGateway } from '../../../gateway/src/testing/gateway-under-test';

/** The documents from which the SDK is generated. */
export interface ServedDocuments {
  readonly document: OpenApi;
  readonly errors: readonly { readonly code: string }[];
}

export interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, { readonly operationId: string }>>>>;
}

/** `/openapi.json` and `/api/v1/errors`, as a sandbox serves them. */
export async function servedDocuments(): Promise<ServedDocuments> {
  const gateway = await startGateway();
  try {
    const [document, catalogue] = await Promise.all(
      ['/openapi.json', '/api/v1/errors'].map(async (url) => (await gateway.app.inject({ url })).json() as unknown),
    );
    return { document: document as OpenApi, errors: (catalogue as Pick<ServedDocuments, 'errors'>).errors };
  } finally {
    await gateway.stop();
  }
}
