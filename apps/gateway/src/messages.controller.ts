import { Payload } from '@nestjs/microservices';
import type { Recorded } from '@ponte/event-sourcing';
import { Consumes, Messages } from '@ponte/nest';
import { ApiKeyRevoked } from '@ponte/contracts';
import { KnownKeys } from './auth/known-keys';

/** Events that the gateway hears of. */
@Messages()
export class GatewayMessages {
  constructor(private readonly keys: KnownKeys) {}

  /** A revoked key is refused from the moment that the event arrives, not when its copy in memory grows old. */
  @Consumes('onboarding', 'gateway')
  onOnboarding(@Payload() event: Recorded): void {
    if (event.type === ApiKeyRevoked.type) this.keys.drop((event.data as ApiKeyRevoked['data']).keyId);
  }
}
