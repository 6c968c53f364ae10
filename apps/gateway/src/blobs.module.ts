import { Module } from '@nestjs/common';
import type { Logger } from 'pino';
import type { PersonalData } from '@ponte/event-sourcing';
import type { Clock } from '@ponte/kernel';
import type { Runtime } from '@ponte/nest';
import type { Tracing } from '@ponte/observability';
import { BLOBS, LOGGER, openBlobs, PERSONAL_DATA, readBlobsConfig, RUNTIME, SYSTEM_CLOCK, TRACING } from '@ponte/nest';

/** The store of personal files: partners upload them and staff view them. */
@Module({
  providers: [
    {
      provide: BLOBS,
      inject: [RUNTIME, PERSONAL_DATA, SYSTEM_CLOCK, LOGGER, TRACING],
      useFactory: (
        { dataDirectory }: Runtime,
        personalData: PersonalData,
        systemClock: Clock,
        logger: Logger,
        tracing: Tracing,
      ) => openBlobs(readBlobsConfig(process.env), { dataDirectory, personalData, systemClock, logger, tracing }),
    },
  ],
  exports: [BLOBS],
})
export class BlobsModule {}
