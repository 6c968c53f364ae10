import type { OnApplicationBootstrap, OnApplicationShutdown, Provider, Type } from '@nestjs/common';
import { Inject, Injectable } from '@nestjs/common';
import type { Projector, RebuildableView, ViewReader } from '@ponte/read-models';
import { catchUp, rebuildableView, runProjector } from '@ponte/read-models';
import type { Checkpoints, EventStore, Lease, Recorded } from '@ponte/event-sourcing';
import type { Kysely } from 'kysely';
import type { Logger } from 'pino';
import { EVENT_STORE, LEASE, LOGGER, VIEW_CHECKPOINTS, VIEWS } from '../tokens';
import type { ReadModelClass } from './define-read-model';

/** A read model, or other tables that one of the readers computes from the log. */
export type ReadModelPart = Pick<ReadModelClass, 'reader' | 'part'>;

export interface CatchUpSettings {
  /** How long a projector waits at the head of the log, in milliseconds, so that the next slice has several events. */
  readonly lingerMs?: number;
  /** The largest number of events in a slice. */
  readonly batchSize?: number;
  /** A provider that is called with the events of each slice after their rows are written. */
  readonly then?: Type<ToldOfRows>;
}

/** Acts on rows that its own process has written. */
export interface ToldOfRows {
  /** Must not throw. */
  rowsWritten(events: readonly Recorded[]): void;
}

/** No caller waits for the projector: it only adds rows that a crash prevented. */
const LINGER_MS = 100;

/** One reader per name, in the order of their first read models. */
function readersOf(readModels: readonly ReadModelPart[]): ViewReader[] {
  const names = [...new Set(readModels.map(({ reader }) => reader))];
  return names.map((name) => ({
    name,
    parts: readModels.filter(({ reader }) => reader === name).map(({ part }) => part),
  }));
}

/** How the read models of a service are rebuilt: one view per reader. */
export const rebuildableViews = (readModels: readonly ReadModelPart[]): RebuildableView[] =>
  readersOf(readModels).map(rebuildableView);

/** Provides the read models of a service, and one projector per reader. */
export function provideReadModels(
  readModels: readonly ReadModelPart[],
  { lingerMs = LINGER_MS, batchSize, then }: CatchUpSettings = {},
): Provider[] {
  @Injectable()
  class CatchUpReadModels implements OnApplicationBootstrap, OnApplicationShutdown {
    private projectors: readonly Projector[] = [];

    constructor(
      @Inject(VIEWS) private readonly views: Kysely<unknown>,
      @Inject(EVENT_STORE) private readonly store: EventStore,
      @Inject(VIEW_CHECKPOINTS) private readonly checkpoints: Checkpoints,
      @Inject(LEASE) private readonly lease: Lease,
      @Inject(LOGGER) private readonly logger: Logger,
      // Without a listener, an unused placeholder is injected.
      @Inject(then ?? LOGGER) private readonly listener: unknown,
    ) {}

    onApplicationBootstrap(): void {
      const { views, store, checkpoints, lease, logger } = this;
      this.projectors = readersOf(readModels).map((reader) => {
        const following = catchUp({ reader, views, store, checkpoints });
        return runProjector({
          ...{ store, lease, logger, lingerMs, batchSize },
          ...following,
          apply: async (slice, fence) => {
            await following.apply(slice, fence);
            if (then) (this.listener as ToldOfRows).rowsWritten(slice.events);
          },
        });
      });
    }

    /** Called before the engines close. */
    async onApplicationShutdown(): Promise<void> {
      await Promise.all(this.projectors.map((projector) => projector.stop()));
    }
  }
  return [...readModels.filter((one): one is ReadModelClass => typeof one === 'function'), CatchUpReadModels];
}
