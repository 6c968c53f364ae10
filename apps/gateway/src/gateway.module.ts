import type { DynamicModule, Provider } from '@nestjs/common';
import { Module } from '@nestjs/common';
import type { FastifyAdapter, NestFastifyApplication } from '@nestjs/platform-fastify';
import type { Backlogs, PersonalData } from '@ponte/event-sourcing';
import type { Timers } from '@ponte/concurrency';
import type { Environment, Runtime } from '@ponte/nest';
import type { Metrics } from '@ponte/observability';
import { BACKLOGS, EVENT_STORE, LOGGER, METRICS, PERSONAL_DATA, RUNTIME, TIMERS } from '@ponte/nest';
import { localFileInspection } from './file-inspection/adapters/local.file-inspection.adapter';
import { PdfInspection } from './file-inspection/adapters/pdf-inspection';
import { derivedKeyMaker } from './authentication/derived.key-maker.adapter';
import { openStaffToken } from './staff/adapters/file.staff-token.adapter';
import { Authentication, ApiKeyCache } from './authentication/authentication.service';
import { BlobsModule } from './blobs.module';
import { AccountAccess } from './authorization/account-access.service';
import { outboxWatch } from './api/webhook-events/log.outbox-watch.adapter';
import { RevocationListener } from './authentication/log.revocation-listener.adapter';
import { createEdgeAdapter } from './server/edge-server';
import type { EdgeTimeouts } from './server/limits';
import { EDGE_TIMEOUTS } from './server/limits';
import { configureEdge } from './server/configure';
import { Admission } from './load-shedding/admission.service';
import { LoadShedder } from './load-shedding/load-shedder';
import { Health } from './server/health.service';
import { Pipeline } from './edge/pipeline.service';
import { Services } from './edge/request-context.service';
import { UploadBudget } from './load-shedding/upload-budget';
import type { GatewaySettings } from './gateway.config';
import { readConnectionCap, readGatewaySettings, readTrustedProxies } from './gateway.config';
import { QuoteExplanationController } from './api/quotes/explanation.controller';
import { QuoteSigner } from './api/quotes/quote-signer';
import { PairsController } from './api/pairs/pairs.controller';
import { AccountsController } from './api/accounts/accounts.controller';
import { BalancesController } from './api/balances/balances.controller';
import { CertificatesController } from './api/certificates/certificates.controller';
import { DepositsController } from './api/deposits/deposits.controller';
import { EvidenceUploads } from './api/files/evidence-uploads.service';
import { FilesController } from './api/files/files.controller';
import { NftTransfersController } from './api/nft-transfers/nft-transfers.controller';
import { OnboardingController } from './api/onboarding/onboarding.controller';
import { OrdersController } from './api/orders/orders.controller';
import { PixKeys } from './api/orders/pix-key.service';
import { QuotesController } from './api/quotes/quotes.controller';
import { ReferenceController } from './api/reference/reference.controller';
import { SANDBOX_CONTROLLERS } from './api/sandbox/sandbox.controllers';
import { OPERATOR_CONTROLLERS } from './console-api/operator.controllers';
import { TransfersController } from './api/transfers/transfers.controller';
import { WalletsController } from './api/wallets/wallets.controller';
import { WebhookDeliveriesController } from './api/webhook-endpoints/webhook-deliveries.controller';
import { WebhookEndpointActionsController } from './api/webhook-endpoints/webhook-endpoint-actions.controller';
import { WebhookEndpointsController } from './api/webhook-endpoints/webhook-endpoints.controller';
import { AccountEventsController } from './api/webhook-events/account-events.controller';
import { EventStreams } from './api/webhook-events/event-streams.service';
import { WithdrawalsController } from './api/withdrawals/withdrawals.controller';
import { Idempotency } from './idempotency/idempotency.service';
import { Cursors } from './pagination/cursors.service';
import { Pagination } from './pagination/pagination.pipe';
import { ShownPersonalData } from './personal-data/shown-personal-data.service';
import { FILE_INSPECTION } from './file-inspection/file-inspection.port';
import { GATEWAY_SETTINGS, KEY_MAKER, OUTBOX_WATCH, QUOTE_SIGNER, STAFF_TOKEN } from './gateway-tokens.port';
import { QrCodes } from './qr/qr-codes';
import { FailedAuthentications } from './rate-limit/failed-authentications.service';
import { RateLimiter } from './rate-limit/rate-limiter.service';
import { StaffModule } from './staff.module';

const CONTROLLERS = [
  WalletsController,
  TransfersController,
  CertificatesController,
  NftTransfersController,
  QuotesController,
  QuoteExplanationController,
  PairsController,
  OrdersController,
  WithdrawalsController,
  DepositsController,
  BalancesController,
  AccountsController,
  OnboardingController,
  FilesController,
  ReferenceController,
  WebhookDeliveriesController,
  WebhookEndpointsController,
  WebhookEndpointActionsController,
  AccountEventsController,
  ...OPERATOR_CONTROLLERS,
];

/** The interval at which expired nonces and stored responses are removed. Being late only costs a little disk space. */
const SWEEP_EVERY_MS = 60_000;
/** {@link LoadShedder.check} assumes one call per second. */
const CHECK_INTERVAL_MS = 1_000;

const PROVIDERS: readonly Provider[] = [
  Services,
  Pagination,
  Cursors,
  ShownPersonalData,
  Admission,
  ApiKeyCache,
  AccountAccess,
  RateLimiter,
  FailedAuthentications,
  Authentication,
  Idempotency,
  Pipeline,
  EventStreams,
  RevocationListener,
  Health,
  QrCodes,
  PixKeys,
  UploadBudget,
  EvidenceUploads,
  {
    provide: GATEWAY_SETTINGS,
    inject: [RUNTIME],
    useFactory: ({ environment }: Runtime) => readGatewaySettings(process.env, environment),
  },
  {
    provide: STAFF_TOKEN,
    inject: [RUNTIME],
    useFactory: ({ dataDirectory }: Runtime) => openStaffToken(dataDirectory),
  },
  { provide: OUTBOX_WATCH, inject: [EVENT_STORE, LOGGER], useFactory: outboxWatch },
  {
    provide: KEY_MAKER,
    inject: [RUNTIME, PERSONAL_DATA],
    useFactory: ({ environment }: Runtime, data: PersonalData) => derivedKeyMaker(environment, data),
  },
  {
    provide: QUOTE_SIGNER,
    inject: [RUNTIME, PERSONAL_DATA],
    useFactory: ({ environment }: Runtime, data: PersonalData) => QuoteSigner.open(process.env, environment, data),
  },
  { provide: FILE_INSPECTION, useFactory: () => localFileInspection(new PdfInspection()) },
  {
    provide: LoadShedder,
    inject: [BACKLOGS, GATEWAY_SETTINGS, METRICS, TIMERS],
    useFactory: (backlogs: Backlogs, { backlogMs }: GatewaySettings, metrics: Metrics, timers: Timers) => {
      const loadShedder = new LoadShedder(backlogs, backlogMs, metrics);
      timers.every('back-pressure', CHECK_INTERVAL_MS, () => loadShedder.check());
      return loadShedder;
    },
  },
  {
    provide: Symbol('sweeping'),
    inject: [TIMERS, Idempotency],
    useFactory: (timers: Timers, idempotency: Idempotency) =>
      timers.every('gateway-sweep', SWEEP_EVERY_MS, () => idempotency.sweep()),
  },
];

@Module({ imports: [BlobsModule], controllers: CONTROLLERS, providers: [...PROVIDERS] })
export class GatewayModule {
  /** Adds the routes of the environment: the sandbox routes do not exist in production. */
  static forEnvironment(environment: Environment): DynamicModule {
    return {
      module: GatewayModule,
      imports: [StaffModule.forEnvironment(environment)],
      controllers: environment === 'sandbox' ? [...SANDBOX_CONTROLLERS] : [],
    };
  }
}

/** The HTTP server of the gateway, for `NestFactory.create` in the process root. */
export const createGatewayAdapter = (timeouts: EdgeTimeouts = EDGE_TIMEOUTS): FastifyAdapter =>
  createEdgeAdapter(readTrustedProxies(process.env), { ...timeouts, ...readConnectionCap(process.env) });

/** The process root calls this between `NestFactory.create(…, createGatewayAdapter())` and `listen`. */
export const configureGateway = (app: NestFastifyApplication): void =>
  configureEdge(app, { partners: [GatewayModule], staff: [StaffModule] });
