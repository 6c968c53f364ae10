import { startGateway } from '../../../gateway/src/testing/gateway-under-test';
import { generatedPages } from './generated-pages';
import type { Document } from './fields-table';

/** Generates the parts of the guides from the document that a sandbox serves. */
export async function servedPages(): Promise<Record<string, string>> {
  const gateway = await startGateway();
  try {
    return generatedPages((await gateway.app.inject({ url: '/openapi.json' })).json<Document>());
  } finally {
    await gateway.stop();
  }
}
