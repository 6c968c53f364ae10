import type { OnApplicationBootstrap, OnApplicationShutdown } from '@nestjs/common';
import { Inject, Module } from '@nestjs/common';
import { RecordLiveness, sealRequest } from '@ponte/contracts';
import type { MessageBus, PersonalData } from '@ponte/event-sourcing';
import type { Clock } from '@ponte/kernel';
import { derivedId, instrument } from '@ponte/kernel';
import type { Timers } from '@ponte/concurrency';
import type { CallbackServer, Runtime } from '@ponte/nest';
import type { Metrics, Tracing } from '@ponte/observability';
import {
  BLOBS,
  blobsProvider,
  CLOCK,
  LOGGER,
  MESSAGE_BUS,
  METRICS,
  PERSONAL_DATA,
  RUNTIME,
  SYSTEM_CLOCK,
  TIMERS,
  TRACING,
} from '@ponte/nest';
import { portTraces } from '@ponte/observability';
import type { Logger } from 'pino';
import type { Checks } from './screening/adapters/open-checks';
import { openChecks } from './screening/adapters/open-checks';
import { readChecksConfig } from './checks.config';
import type { LivenessNotice } from './liveness/liveness.port';
import { LIVENESS } from './liveness/liveness.port';
import { SCREENING, SCREENING_NOTICES } from './screening/screening.port';

const CHECKS = Symbol('Checks');
const ACTOR = 'liveness-provider';

@Module({
  providers: [
    { provide: CHECKS, useFactory: checksOf, inject: [RUNTIME, CLOCK, SYSTEM_CLOCK, TIMERS, LOGGER, METRICS] },
    {
      provide: SCREENING,
      useFactory: ({ screening }: Checks, tracing: Tracing) =>
        instrument(screening, [portTraces('screening', ['screen'], {}, tracing)]),
      inject: [CHECKS, TRACING],
    },
    { provide: SCREENING_NOTICES, useFactory: ({ screeningNotices }: Checks) => screeningNotices, inject: [CHECKS] },
    {
      provide: LIVENESS,
      useFactory: ({ liveness }: Checks, tracing: Tracing) =>
        instrument(liveness, [portTraces('liveness', ['resultOf'], {}, tracing)]),
      inject: [CHECKS, TRACING],
    },
    blobsProvider(() => process.env),
  ],
  exports: [SCREENING, SCREENING_NOTICES, LIVENESS, BLOBS],
})
export class ChecksModule implements OnApplicationBootstrap, OnApplicationShutdown {
  private callbackServer: CallbackServer | undefined;

  constructor(
    @Inject(CHECKS) private readonly checks: Checks,
    @Inject(MESSAGE_BUS) private readonly bus: MessageBus,
    @Inject(PERSONAL_DATA) private readonly personalData: PersonalData,
  ) {}

  async onApplicationBootstrap(): Promise<void> {
    this.checks.livenessNotices.listen((notice) => this.record(notice));
    this.callbackServer = await this.checks.serve();
  }

  /** Runs before the engines close. */
  async onApplicationShutdown(): Promise<void> {
    await this.callbackServer?.close();
  }

  /** A repeated notice gives the same command, however often it arrives. */
  private async record({ provider, sessionId, providerEventId, outcome, decidedAt }: LivenessNotice): Promise<void> {
    const session = this.personalData.fingerprint('liveness-notice', `${provider}:${sessionId}`);
    const commandId = derivedId('liveness-notice', session, providerEventId);
    const sealed = await sealRequest(this.personalData, { secret: sessionId });
    await this.bus.request(
      RecordLiveness,
      { provider, sessionId: sealed, providerEventId, outcome, decidedAt },
      { commandId, correlationId: commandId, actor: ACTOR },
    );
  }
}

function checksOf(
  { environment }: Runtime,
  clock: Clock,
  systemClock: Clock,
  timers: Timers,
  logger: Logger,
  metrics: Metrics,
): Promise<Checks> {
  return openChecks(readChecksConfig(process.env, environment), { clock, systemClock, timers, logger, metrics });
}
