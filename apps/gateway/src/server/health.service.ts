import { Inject, Injectable } from '@nestjs/common';
import type { BeforeApplicationShutdown } from '@nestjs/common';
import { GetApiKey } from '@ponte/contracts';
import { EventStoreUnavailable } from '@ponte/event-sourcing';
import type { MessageBus } from '@ponte/event-sourcing';
import type { Clock, Ids } from '@ponte/kernel';
import type { Probe } from '@ponte/observability';
import { IDS, MESSAGE_BUS, PROBES, SYSTEM_CLOCK } from '@ponte/nest';

const PROBE_DEADLINE_MS = 1_000;
/** An id that no key has: the reply is null, and only its arrival matters. */
const PROBED_KEY = 'ak_test_000000000000000000000000';

const NOT_READY = 'this process cannot accept requests';

/** Whether requests may be sent to this process. */
@Injectable()
export class Health implements BeforeApplicationShutdown {
  private stopping = false;

  constructor(
    @Inject(MESSAGE_BUS) private readonly bus: MessageBus,
    @Inject(IDS) private readonly ids: Ids,
    @Inject(SYSTEM_CLOCK) private readonly systemClock: Clock,
    @Inject(PROBES) private readonly probes: Readonly<Record<string, Probe>>,
  ) {}

  /** From here on, requests in flight are still answered, but the process is not ready for new ones. */
  beforeApplicationShutdown(): void {
    this.stopping = true;
  }

  /**
   * Undefined if keys can be looked up, without which no request is accepted, and events can be written. Otherwise the
   * reason why not.
   */
  async notReadyReason(): Promise<string | undefined> {
    if (!(await this.answers())) return NOT_READY;
    try {
      for (const probe of Object.values(this.probes)) await probe();
      return undefined;
    } catch (error) {
      // This message is our own text. It says what is wrong with the log and contains no file name or address.
      return error instanceof EventStoreUnavailable ? error.message : NOT_READY;
    }
  }

  private async answers(): Promise<boolean> {
    if (this.stopping) return false;
    const id = this.ids.next();
    try {
      await this.bus.request(
        GetApiKey,
        { keyId: PROBED_KEY },
        { commandId: id, correlationId: id, deadline: this.systemClock.now() + PROBE_DEADLINE_MS },
      );
      return true;
    } catch {
      return false;
    }
  }
}
