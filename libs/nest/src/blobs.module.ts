import { Module } from '@nestjs/common';
import type { Logger } from 'pino';
import type { PersonalData } from '@ponte/event-sourcing';
import type { Clock } from '@ponte/kernel';
import type { Tracing } from '@ponte/observability';
import { openBlobs, readBlobsConfig } from './blobs';
import type { Runtime } from './process/runtime';
import { BLOBS, LOGGER, PERSONAL_DATA, RUNTIME, SYSTEM_CLOCK, TRACING } from './tokens';

/** The store of personal files: partners upload them, staff view them, and onboarding deletes them. */
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
