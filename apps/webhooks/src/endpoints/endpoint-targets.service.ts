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
 * Prepares the URL of a request for the decider: opens it if it was sent sealed, seals it if it has a query, and
 * resolves its host.
 */
@Injectable()
export class EndpointTargets {
  constructor(
    @Inject(PERSONAL_DATA) private readonly personalData: PersonalData,
    @Inject(RUNTIME) private readonly runtime: Runtime,
    @Inject(TARGET_ADDRESSES) private readonly addresses: TargetAddresses,
  ) {}

  /**
   * `sent`: the URL in clear, or sealed by `sealRequest`. Throws `SealBroken`. The decider checks whether the target is
   * allowed.
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
