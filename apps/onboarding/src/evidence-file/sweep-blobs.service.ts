import { Inject, Injectable } from '@nestjs/common';
import type { Blobs, RequestContext } from '@ponte/event-sourcing';
import { logged, systemContext } from '@ponte/event-sourcing';
import type { Clock, Ids } from '@ponte/kernel';
import { derivedId, isEvidenceFileId } from '@ponte/kernel';
import { BLOBS, IDS, LOGGER, SYSTEM_CLOCK } from '@ponte/nest';
import type { Logger } from 'pino';
import { EvidenceFileReadModel } from './evidence-files.read-model';
import type { OnboardingSettings } from '../onboarding-settings.port';
import { ONBOARDING_SETTINGS_OF } from '../onboarding-settings.port';
import { EvidenceFiles } from './evidence-files.repository';

const HOUR_MS = 3_600_000;
/** Ids per query to the read model; a page of a bucket has more. */
const BATCH = 200;

/**
 * Deletes bytes that were never registered (the gateway died in between, or its response was lost and the caller did
 * not retry). The stream is closed first, so that a late registration finds no file instead of a file without bytes.
 */
@Injectable()
export class SweepBlobs {
  constructor(
    private readonly files: EvidenceFiles,
    @Inject(BLOBS) private readonly blobs: Pick<Blobs, 'list' | 'delete'>,
    private readonly readModel: EvidenceFileReadModel,
    @Inject(ONBOARDING_SETTINGS_OF) private readonly settings: OnboardingSettings,
    @Inject(SYSTEM_CLOCK) private readonly systemClock: Clock,
    @Inject(IDS) private readonly ids: Ids,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** Makes one pass over all stored bytes. */
  async run(signal: AbortSignal): Promise<void> {
    // The store dates its objects by system time, not by business time.
    const beforeMs = this.systemClock.now() - this.settings.orphanHours * HOUR_MS;
    const context = systemContext(this.ids, 'onboarding-sweep-blobs');
    let cursor: string | null = null;
    do {
      const page: Awaited<ReturnType<Blobs['list']>> = await this.blobs.list({ beforeMs, cursor });
      for (let from = 0; from < page.ids.length && !signal.aborted; from += BATCH)
        await this.settle(page.ids.slice(from, from + BATCH), context, signal);
      cursor = page.next;
    } while (cursor !== null && !signal.aborted);
  }

  private async settle(ids: readonly string[], context: RequestContext, signal: AbortSignal): Promise<void> {
    const kept = await this.readModel.kept(ids);
    for (const id of ids.filter((one) => isEvidenceFileId(one) && !kept.has(one))) {
      if (signal.aborted) return;
      await this.abandon(id, { ...context, commandId: derivedId('sweep-blob', context.commandId, id) });
    }
  }

  /**
   * The read model may lag, so the stream decides. Bytes of a file deleted long ago are left over from a failed policy.
   */
  private async abandon(fileId: string, context: RequestContext): Promise<void> {
    const { status } = await this.files.execute(fileId, (at) => ({ kind: 'abandon', fileId, at }), context);
    if (status === 'kept') return;
    this.logger.warn({ ...logged(context), fileId }, 'deleting bytes that belong to no file');
    await this.blobs.delete(fileId);
  }
}
