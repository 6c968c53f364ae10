import 'reflect-metadata';
import type { INestMicroservice } from '@nestjs/common';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { AddressSubject } from '@ponte/contracts';
import type { MessageBus, Recorded } from '@ponte/event-sourcing';
import { BusTransport, EnginesModule, createLogger, openEmbeddedEngines } from '@ponte/nest';
import type { MemoryEventStore } from '@ponte/testing';
import { eventually } from '@ponte/testing';
import type { Metrics } from '@ponte/observability';
import type { Kysely } from 'kysely';
import { MovementsModule } from '../movements.module';
import type { EvmChain } from '../chain/chain.port';
import type { OpenChains } from '../chain/adapters/open-chains';
import { addressReviewed, addressReviewOpened } from './address-reviewed';
import type { SimulatedServices } from './simulated-services';
import { OTHER, OWNER } from './simulated-services';
import { CertificateRequests, uuid } from './certificate-requests';
import { MovementDecisions } from '../waiting-work/movement-decisions.read-model';

@Module({})
class Root {}

export { OTHER, OWNER, uuid };

interface CertificateSetup {
  readonly folder: string;
  readonly open: OpenChains;
  readonly store: MemoryEventStore;
  readonly events: () => readonly Recorded[];
  /** How long a transaction waits unsigned before its target is screened again, ms; a minute by default. */
  readonly screenAgainMs?: number;
  /** Sets the answers of the other services before this one starts. */
  readonly prepare?: (services: SimulatedServices) => void;
}

/** The movements service with two accounts, over the given chains, for tests of certificates. */
export class CertificatesUnderTest extends CertificateRequests {
  private stopping: Promise<void> | undefined;

  private constructor(
    private readonly setup: CertificateSetup,
    bus: MessageBus,
    readonly readModels: Kysely<unknown>,
    private readonly metrics: Metrics,
    /** Returns any provider of the service. */
    readonly part: INestMicroservice['get'],
    private readonly end: () => Promise<void>,
  ) {
    super(bus);
  }

  static async start(setup: CertificateSetup): Promise<CertificatesUnderTest> {
    const runtime = {
      environment: 'sandbox',
      dataDirectory: setup.folder,
      port: 0,
      logLevel: 'silent',
      embeddedByName: true,
      failpoint: null,
    } as const;
    const engines = await openEmbeddedEngines(runtime, 'movements', {
      store: setup.store,
      logger: createLogger('movements', 'silent'),
      checkRequests: true,
    });
    const config = {
      chains: { kind: 'simulated' },
      keystore: { kind: 'file', passphrase: '' },
      signerLimits: {},
      operatorKeys: 1,
      pollMs: 25,
      raiseFeeMs: 300,
      screenAgainMs: setup.screenAgainMs,
    } as const;
    const module = MovementsModule.over(config, { ...setup.open, stop: async () => undefined });
    const imports = [EnginesModule.forRoot(engines), module];
    const options = { strategy: new BusTransport(engines.bus), logger: false, abortOnError: false } as const;
    const app = await NestFactory.createMicroservice({ module: Root, imports }, options);
    const movements = new CertificatesUnderTest(
      setup,
      engines.bus,
      engines.readModels,
      engines.metrics,
      app.get.bind(app),
      async () => {
        await engines.timers.stop();
        await app.close();
        await engines.close();
      },
    );
    setup.prepare?.(movements);
    movements.answer(engines.bus);
    await app.listen();
    engines.timers.start();
    return movements;
  }

  stop(): Promise<void> {
    return (this.stopping ??= this.end());
  }

  get store(): MemoryEventStore {
    return this.setup.store;
  }

  get evm(): EvmChain {
    return this.setup.open.chains.of('eth-base').evm;
  }

  /** The values of a gauge, by the first label. */
  async gauge(name: string): Promise<Record<string, number>> {
    const { values } = (await this.metrics.registry.getSingleMetric(name)?.get()) ?? { values: [] };
    return Object.fromEntries(values.map(({ labels, value }) => [String(Object.values(labels)[0]), value]));
  }

  /** The value of a gauge without labels. */
  async value(name: string): Promise<number | undefined> {
    return (await this.metrics.registry.getSingleMetric(name)?.get())?.values[0]?.value;
  }

  /** Records that two staff members have decided about the target of a transfer. */
  async review(subject: AddressSubject, outcome: 'clear' | 'refused'): Promise<void> {
    this.outcomes.set(subject.id, outcome);
    await this.setup.store.append(`addressReview-${subject.id}`, -1, [addressReviewed(subject, outcome)]);
  }

  /** Records that the target of a transfer is to be reviewed, and waits until the service knows. */
  async openReview(subject: AddressSubject, address: string): Promise<void> {
    await this.setup.store.append(`addressReview-${subject.id}`, -1, [addressReviewOpened(subject, address)]);
    await eventually(async () => expect(await this.part(MovementDecisions).select((rows) => rows)).toHaveLength(1));
  }

  ofType(type: string): Recorded[] {
    return this.setup.events().filter((event) => event.type === type);
  }
}
