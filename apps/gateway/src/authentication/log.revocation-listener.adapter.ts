import type { OnApplicationBootstrap, OnApplicationShutdown } from '@nestjs/common';
import { Inject, Injectable } from '@nestjs/common';
import { ApiKeyRevoked } from '@ponte/contracts';
import type { LogWatch } from '@ponte/read-models';
import { watchLog } from '@ponte/read-models';
import type { EventStore } from '@ponte/event-sourcing';
import { EVENT_STORE, LOGGER } from '@ponte/nest';
import type { Logger } from 'pino';
import { ApiKeyCache } from './authentication.service';

/**
 * Follows the log, so that every replica refuses a revoked key as soon as the event arrives and not only when its
 * cached copy expires.
 */
@Injectable()
export class RevocationListener implements OnApplicationBootstrap, OnApplicationShutdown {
  private watch: LogWatch | undefined;

  constructor(
    private readonly keys: ApiKeyCache,
    @Inject(EVENT_STORE) private readonly store: EventStore,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    this.watch = await watchLog({
      store: this.store,
      logger: this.logger,
      name: 'gateway-revocation-listener',
      categories: ['apiKey'],
      notify: (event) => {
        if (event.type === ApiKeyRevoked.type) this.keys.drop((event.data as ApiKeyRevoked['data']).keyId);
      },
    });
  }

  async onApplicationShutdown(): Promise<void> {
    await this.watch?.stop();
  }
}
