import type { OnApplicationBootstrap, OnApplicationShutdown, Provider } from '@nestjs/common';
import { Inject, Injectable } from '@nestjs/common';
import type { Projector, RebuildableView, ViewReader } from '@ponte/read-models';
import { catchUp, rebuildableView, runProjector } from '@ponte/read-models';
import type { Checkpoints, EventStore, Lease } from '@ponte/event-sourcing';
import type { Kysely } from 'kysely';
import type { Logger } from 'pino';
import { EVENT_STORE, LEASE, LOGGER, VIEW_CHECKPOINTS, VIEWS } from '../tokens';
import type { ReadModelClass } from './define-read-model';

/** A read model, or tables of another form that are computed from the log under one of the readers. */
export type ReadModelPart = Pick<ReadModelClass, 'reader' | 'part'>;

export interface CatchUpSettings {
  /** How long a projector waits at the head of the log, in milliseconds, so that the next slice has several events. */
  readonly lingerMs?: number;
  /** At most so many events in a slice. */
  readonly batchSize?: number;
}

/** No caller waits for it: the rows are there already, but for those that a crash left out. */
const LINGER_MS = 100;

/** The readers of these read models, in the order of their first read model. */
function readersOf(readModels: readonly ReadModelPart[]): ViewReader[] {
  const names = [...new Set(readModels.map(({ reader }) => reader))];
  return names.map((name) => ({
    name,
    parts: readModels.filter(({ reader }) => reader === name).map(({ part }) => part),
  }));
}

/** How the read models of a service are rebuilt, one view for each reader. */
export const rebuildableViews = (readModels: readonly ReadModelPart[]): RebuildableView[] =>
  readersOf(readModels).map(rebuildableView);

/** The read models for the providers of a service's module, with one projector for each reader. */
export function provideReadModels(
  readModels: readonly ReadModelPart[],
  { lingerMs = LINGER_MS, batchSize }: CatchUpSettings = {},
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
    ) {}

    onApplicationBootstrap(): void {
      const { views, store, checkpoints, lease, logger } = this;
      this.projectors = readersOf(readModels).map((reader) =>
        runProjector({
          ...{ store, checkpoints, lease, logger, lingerMs, batchSize },
          ...catchUp({ reader, views, store }),
        }),
      );
    }

    /** Before the engines close. */
    async onApplicationShutdown(): Promise<void> {
      await Promise.all(this.projectors.map((projector) => projector.stop()));
    }
  }
  return [...readModels.filter((one): one is ReadModelClass => typeof one === 'function'), CatchUpReadModels];
}
