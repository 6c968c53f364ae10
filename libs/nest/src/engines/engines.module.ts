import type { DynamicModule, Provider } from '@nestjs/common';
import { Module } from '@nestjs/common';
import { APP_FILTER } from '@nestjs/core';
import { CqrsModule } from '@nestjs/cqrs';
import { Aggregates } from '@ponte/event-sourcing';
import type { Engines } from './engines';
import { RethrowFilter } from '../rethrow.filter';
import * as tokens from '../tokens';

/** Makes the engines of this process injectable everywhere. */
@Module({})
export class EnginesModule {
  static forRoot(engines: Engines): DynamicModule {
    const value = (provide: symbol, useValue: unknown): Provider => ({ provide, useValue });
    const providers: Provider[] = [
      value(tokens.RUNTIME, engines.runtime),
      value(tokens.LOGGER, engines.logger),
      value(tokens.CLOCK, engines.clock),
      value(tokens.SYSTEM_CLOCK, engines.systemClock),
      value(tokens.IDS, engines.ids),
      value(tokens.TIMERS, engines.timers),
      value(tokens.EVENT_STORE, engines.store),
      value(tokens.MESSAGE_BUS, engines.bus),
      value(tokens.PARKING_LOT, engines.parkingLot),
      value(tokens.PARKED_EVENTS, engines.parkedEvents),
      value(tokens.CHECKPOINTS, engines.checkpoints),
      value(tokens.READ_MODEL_CHECKPOINTS, engines.readModelCheckpoints),
      value(tokens.LEASE, engines.lease),
      value(tokens.REWINDABLE, engines.rewindable),
      value(tokens.OPERATOR_DUTIES, engines.duties),
      value(tokens.READ_MODELS, engines.readModels),
      value(tokens.EDGE_STATE, engines.edgeState),
      value(tokens.BACKLOGS, engines.backlogs),
      value(tokens.CLOCK_SKEW, engines.clockSkew ?? { isSane: true }),
      value(tokens.PERSONAL_DATA, engines.personalData),
      value(tokens.PROBES, engines.probes),
      value(tokens.METRICS, engines.metrics),
      value(tokens.MANAGEMENT_DOCUMENTS, engines.documents),
      value(tokens.TRACING, engines.tracing),
      { provide: Aggregates, useValue: engines.aggregates },
    ];
    return {
      module: EnginesModule,
      global: true,
      imports: [CqrsModule.forRoot()],
      providers: [...providers, { provide: APP_FILTER, useClass: RethrowFilter }],
      exports: [...providers.map(tokenOf), CqrsModule],
    };
  }
}

const tokenOf = (provider: Provider) => (provider as { provide: symbol | typeof Aggregates }).provide;
