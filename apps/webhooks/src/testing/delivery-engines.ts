import { openEmbeddedEngines } from '@ponte/nest';
import type { Engines } from '@ponte/nest';
import { temporaryFolder } from '@ponte/testing';
import pino from 'pino';
import { createDeliveryTables } from '../deliveries/delivery-tables.adapter';

/** Embedded engines in a temporary folder, with the tables of the deliveries. `close` removes the folder too. */
export async function openDeliveryEngines(): Promise<{ readonly engines: Engines; close(): Promise<void> }> {
  const folder = temporaryFolder();
  const engines = await openEmbeddedEngines(
    {
      environment: 'sandbox',
      dataDirectory: folder.path,
      port: 0,
      logLevel: 'silent',
      embeddedByName: true,
      failpoint: null,
    },
    'webhooks',
    { logger: pino({ level: 'silent' }) },
  );
  await createDeliveryTables(engines.readModels);
  return {
    engines,
    close: async () => {
      await engines.close();
      folder.remove();
    },
  };
}
