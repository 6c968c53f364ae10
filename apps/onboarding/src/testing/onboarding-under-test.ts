import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import type { DynamicModule, INestMicroservice, Type } from '@nestjs/common';
import type { IEventHandler } from '@nestjs/cqrs';
import { Module } from '@nestjs/common';
import { Test } from '@nestjs/testing';
import * as contracts from '@ponte/contracts';
import type { EventStore, PayloadOf, Recorded, RequestContext, RequestDefinition } from '@ponte/event-sourcing';
import { Unavailable } from '@ponte/kernel';
import type { Engines, Environment } from '@ponte/nest';
import { BusTransport, EnginesModule, nestLogger, openEmbeddedEngines, Policies } from '@ponte/nest';
import { pino } from 'pino';
import { ChecksModule } from '../checks.module';
import { BLOBS } from '@ponte/nest';
import { LIVENESS } from '../liveness/liveness.port';
import { SCREENING, SCREENING_NOTICES } from '../screening/screening.port';
import { ScreeningRoundJob } from '../screening-round/screening-round.job';
import type { OnboardingSettings } from '../onboarding-settings.port';
import { ONBOARDING_SETTINGS_OF } from '../onboarding-settings.port';
import { OnboardingModule } from '../onboarding.module';
import { ScriptedBlobs, ScriptedLiveness, ScriptedScreening } from './fixtures';
import { SimulatedMoney } from './simulated-money';

export interface UnderTestOptions {
  readonly store?: EventStore;
  readonly environment?: Environment;
  readonly dueEveryMs?: number;
  /** People are screened again only if this is set. */
  readonly screenAgainEveryMs?: number;
  /** The vendors of an earlier run, to continue with. */
  readonly vendors?: Vendors;
  /** The folder of an earlier run, whose keys and read models are kept. */
  readonly folder?: string;
}

/** The services that onboarding calls. */
class Vendors {
  readonly screening = new ScriptedScreening();
  readonly liveness = new ScriptedLiveness();
  readonly blobs = new ScriptedBlobs();
  /** Accounts for which wallets were requested. */
  readonly provisioned: string[] = [];
  walletsDown = false;
  /** Whether the movements service does not say which addresses are those of the service. */
  houseAddressesDown = false;
  /** An address of the service, in lower case. */
  houseAddress = '';
  /** Addresses on sanctions lists, and what staff decided about them. */
  readonly addresses = new Map<string, contracts.ScreeningOutcome>();
  /** Balances and work in progress of accounts. */
  readonly money = new SimulatedMoney();
}

/** Replaces the vendors. */
@Module({})
class ScriptedChecks {}

function checksOf({ screening, liveness, blobs }: Vendors): DynamicModule {
  const providers = [
    { provide: SCREENING, useValue: screening },
    { provide: SCREENING_NOTICES, useValue: screening },
    { provide: LIVENESS, useValue: liveness },
    { provide: BLOBS, useValue: blobs },
  ];
  return { module: ScriptedChecks, providers, exports: providers.map(({ provide }) => provide) };
}

const QUIET: Omit<OnboardingSettings, 'environment'> = {
  highRiskSectors: ['gambling'],
  dueEveryMs: 3_600_000,
  screenAgainEveryMs: 3_600_000,
  maxUnreferencedFiles: 50,
  retentionYears: 10,
  orphanHours: 24,
  sweepEveryMs: 20,
};

const timesOf = ({
  dueEveryMs = QUIET.dueEveryMs,
  screenAgainEveryMs = QUIET.screenAgainEveryMs,
}: UnderTestOptions) => ({ dueEveryMs, screenAgainEveryMs });

/** Rounds would add events to the log of tests that are not about them. */
const NO_ROUNDS: Pick<ScreeningRoundJob, 'run'> = { run: async () => undefined };

/** Onboarding over embedded engines (or a store of the test), with the other services answering as the test sets. */
export class OnboardingUnderTest {
  private constructor(
    /** The log output so far. */
    readonly log: string[],
    readonly engines: Engines,
    readonly vendors: Vendors,
    readonly folder: string,
    private readonly clock: { ahead: number },
    private readonly app: INestMicroservice,
  ) {}

  static async start(options: UnderTestOptions = {}): Promise<OnboardingUnderTest> {
    const folder = options.folder ?? mkdtempSync(join(tmpdir(), 'ponte-onboarding-'));
    const vendors = options.vendors ?? new Vendors();
    const log: string[] = [];
    const sink = new Writable({
      write: (chunk: Buffer, _encoding, done) => {
        log.push(chunk.toString());
        done();
      },
    });
    const environment = options.environment ?? 'sandbox';
    const runtime = {
      environment,
      dataDirectory: folder,
      port: 0,
      logLevel: 'trace',
      embeddedByName: true,
      failpoint: null,
    };
    const opened = await openEmbeddedEngines(runtime, 'onboarding', {
      logger: pino({ level: 'trace' }, sink),
      checkRequests: true,
      ...(options.store ? { store: options.store } : {}),
    });
    const clock = { ahead: 0 };
    const engines: Engines = { ...opened, clock: { now: () => opened.clock.now() + clock.ahead } };
    engines.bus.handle(contracts.ScreenAddress.pattern, async (payload) => {
      const { address } = payload as PayloadOf<typeof contracts.ScreenAddress>;
      return { outcome: vendors.addresses.get(address) ?? 'clear' };
    });
    engines.bus.handle(contracts.FindHouseAddresses.pattern, async (payload) => {
      if (vendors.houseAddressesDown) throw new Unavailable('chain-unavailable');
      const { addresses } = payload as PayloadOf<typeof contracts.FindHouseAddresses>;
      const house = addresses.filter((address) => address === vendors.houseAddress);
      return { found: house.map((address) => ({ address, loss: 'is an address of the service' })) };
    });
    engines.bus.handle(contracts.FindAddressHits.pattern, async (payload) => ({
      found: (payload as PayloadOf<typeof contracts.FindAddressHits>).addresses
        .filter((address) => vendors.addresses.has(address))
        .map((address) => ({ address, hits: [{ list: 'ofac-sdn', entryId: '36987', programs: ['CYBER2'] }] })),
    }));
    engines.bus.handle(contracts.ProvisionWallets.pattern, async (payload) => {
      if (vendors.walletsDown) throw new Unavailable('chain-unavailable');
      vendors.provisioned.push((payload as { accountId: string }).accountId);
      return { wallets: [] };
    });
    vendors.money.answerOn(engines.bus);
    const building = Test.createTestingModule({ imports: [EnginesModule.forRoot(engines), OnboardingModule] });
    if (options.screenAgainEveryMs === undefined) building.overrideProvider(ScreeningRoundJob).useValue(NO_ROUNDS);
    const built = await building
      .overrideModule(ChecksModule)
      .useModule(checksOf(vendors))
      .overrideProvider(ONBOARDING_SETTINGS_OF)
      .useValue({ ...QUIET, environment, ...timesOf(options) })
      .compile();
    const app = built.createNestMicroservice({
      strategy: new BusTransport(engines.bus),
      logger: nestLogger(engines.logger),
    });
    await app.listen();
    engines.timers.start();
    return new OnboardingUnderTest(log, engines, vendors, folder, clock, app);
  }

  /** Advances the business time. */
  advance(milliseconds: number): void {
    this.clock.ahead += milliseconds;
  }

  context(commandId = this.engines.ids.next()): RequestContext {
    return { commandId, correlationId: commandId, actor: 'test' };
  }

  ask<P, R>(definition: RequestDefinition<P, R>, payload: P, context = this.context()): Promise<R> {
    return this.engines.bus.request(definition, payload, context);
  }

  /** Runs a single policy. */
  run(policy: Type<IEventHandler<Recorded>>, event: Recorded): Promise<void> {
    return new Policies([this.app.get<IEventHandler<Recorded>>(policy, { strict: false })]).dispatch(event);
  }

  /** All events in the log. */
  async events(): Promise<Recorded[]> {
    const events: Recorded[] = [];
    const subscription = this.engines.store.subscribe();
    for await (const slice of subscription) {
      events.push(...slice.events);
      if (slice.caughtUp) break;
    }
    await subscription.close();
    return events;
  }

  async stop(keep = false): Promise<void> {
    await this.engines.timers.stop();
    await this.app.close();
    await this.engines.close();
    if (!keep) rmSync(this.folder, { recursive: true, force: true });
  }
}
