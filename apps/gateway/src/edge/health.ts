import { Inject, Injectable } from '@nestjs/common';
import type { BeforeApplicationShutdown } from '@nestjs/common';
import { GetApiKey } from '@ponte/contracts';
import type { MessageBus } from '@ponte/event-sourcing';
import type { Clock, Ids } from '@ponte/kernel';
import { IDS, MESSAGE_BUS, SYSTEM_CLOCK } from '@ponte/nest';

const PROBE_DEADLINE_MS = 1_000;
/** An id that no key has: the answer is null, and that there is one is what counts. */
const PROBED_KEY = 'ak_test_000000000000000000000000';

/** Whether this process may be sent requests. */
@Injectable()
export class Health implements BeforeApplicationShutdown {
  private stopping = false;

  constructor(
    @Inject(MESSAGE_BUS) private readonly bus: MessageBus,
    @Inject(IDS) private readonly ids: Ids,
    @Inject(SYSTEM_CLOCK) private readonly systemClock: Clock,
  ) {}

  /** Requests in flight are still answered from here on, new ones are to go elsewhere. */
  beforeApplicationShutdown(): void {
    this.stopping = true;
  }

  /** True when keys can be looked up, without which no request can be let in. */
  async isReady(): Promise<boolean> {
    if (this.stopping) return false;
    const id = this.ids.next();
    try {
      await this.bus.request(GetApiKey, { keyId: PROBED_KEY }, { commandId: id, correlationId: id, deadline: this.systemClock.now() + PROBE_DEADLINE_MS });
      return true;
    } catch {
      return false;
    }
  }
}
