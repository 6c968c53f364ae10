import type { ManagementDocuments } from '@ponte/observability';
import { MANAGEMENT_DOCUMENTS } from '@ponte/nest';
import { startGateway } from '../../../../gateway/src/testing/gateway-under-test';

/** Both OpenAPI documents of a sandbox as text. */
export async function servedTexts(): Promise<{ readonly partner: string; readonly staff: string }> {
  const gateway = await startGateway();
  try {
    const staff = gateway.app.get<ManagementDocuments>(MANAGEMENT_DOCUMENTS).get('/staff/openapi.json');
    if (staff === undefined) throw new Error('the gateway has no staff document');
    return { partner: (await gateway.app.inject({ url: '/openapi.json' })).body, staff: staff() as string };
  } finally {
    await gateway.stop();
  }
}
