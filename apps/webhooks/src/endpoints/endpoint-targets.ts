import { Inject, Injectable } from '@nestjs/common';
import { openInTransit } from '@ponte/contracts';
import type { PersonalData } from '@ponte/event-sourcing';
import { isSealed } from '@ponte/event-sourcing';
import type { Runtime } from '@ponte/nest';
import { PERSONAL_DATA, RUNTIME } from '@ponte/nest';
import type { Target } from './endpoint-rules.domain';
import { hasQuery, targetRules } from './target.domain';
import type { TargetAddresses } from '../outgoing-http/outgoing-http.port';
import { TARGET_ADDRESSES } from '../outgoing-http/outgoing-http.port';

/**
 * Reads the URL of a request: opened where it came sealed, sealed where it has a query, and with what its host
 * resolves to.
 */
@Injectable()
export class EndpointTargets {
  constructor(
    @Inject(PERSONAL_DATA) private readonly personalData: PersonalData,
    @Inject(RUNTIME) private readonly runtime: Runtime,
    @Inject(TARGET_ADDRESSES) private readonly addresses: TargetAddresses,
  ) {}

  /**
   * `sent`: the URL, or the same sealed by `sealRequest`. Throws `SealBroken`. Whether it is accepted is the
   * decider's to say.
   */
  async read(endpointId: string, sent: string): Promise<Target> {
    const url = isSealed(sent) ? (await openInTransit<{ secret: string }>(this.personalData, sent)).secret : sent;
    const rules = targetRules(this.runtime.environment);
    return {
      url,
      rules,
      addresses: rules.privateAllowed ? [] : await this.addresses.of(url),
      sealedUrl: hasQuery(url) ? await this.personalData.seal(endpointId, url) : null,
    };
  }
}
