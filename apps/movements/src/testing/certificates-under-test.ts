import 'reflect-metadata';
import type { INestMicroservice } from '@nestjs/common';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { AddressSubject, CertificateRecord, IssueCertificatePayload, NftTransferRecord } from '@ponte/contracts';
import {
  CreateNftTransfer,
  CreateWallet,
  GetAnyCertificate,
  GetAnyNftTransfer,
  IssueCertificate,
  ListCertificates,
  ProvisionWallets,
} from '@ponte/contracts';
import type { MessageBus, Recorded, RequestContext } from '@ponte/event-sourcing';
import { derivedId } from '@ponte/kernel';
import { BusTransport, EnginesModule, createLogger, openEmbeddedEngines } from '@ponte/nest';
import type { MemoryEventStore } from '@ponte/testing';
import type { Metrics } from '@ponte/observability';
import type { Kysely } from 'kysely';
import { eventually, freshId } from '@ponte/testing';
import { MovementsModule } from '../movements.module';
import type { EvmChain } from '../chain/chain.port';
import type { OpenChains } from '../chain/adapters/open-chains';
import { addressReviewed } from './address-reviewed';
import { SimulatedServices, OTHER, OWNER, PARENT } from './simulated-services';

@Module({})
class Root {}

/** A UUID that was not there before. */
export const uuid = (): string => derivedId('fresh', freshId());

export { OTHER, OWNER };

export interface CertificateSetup {
  readonly folder: string;
  readonly open: OpenChains;
  readonly store: MemoryEventStore;
  readonly events: () => readonly Recorded[];
  /** For how long a transaction waits unsigned before its target is screened again, ms; a minute by default. */
  readonly screenAgainMs?: number;
}

/** The movements service with two accounts, over chains of the caller's, for tests of certificates. */
export class CertificatesUnderTest extends SimulatedServices {
  private stopping: Promise<void> | undefined;

  private constructor(
    private readonly setup: CertificateSetup,
    readonly bus: MessageBus,
    readonly views: Kysely<unknown>,
    private readonly metrics: Metrics,
    /** Any provider of the service. */
    readonly part: INestMicroservice['get'],
    private readonly end: () => Promise<void>,
  ) {
    super();
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
    });
    const config = {
      chains: { kind: 'simulated' },
      keyStore: { kind: 'file', passphrase: '' },
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
      engines.views,
      engines.metrics,
      app.get.bind(app),
      async () => {
        await engines.timers.stop();
        await app.close();
        await engines.close();
      },
    );
    movements.answer(engines.bus);
    await app.listen();
    engines.timers.start();
    return movements;
  }

  stop(): Promise<void> {
    return (this.stopping ??= this.end());
  }

  get evm(): EvmChain {
    return this.setup.open.chains.of('eth-base').evm;
  }

  /** What the process shows of a gauge, by its first label. */
  async gauge(name: string): Promise<Record<string, number>> {
    const { values } = (await this.metrics.registry.getSingleMetric(name)?.get()) ?? { values: [] };
    return Object.fromEntries(values.map(({ labels, value }) => [String(Object.values(labels)[0]), value]));
  }

  context(id = freshId()): RequestContext {
    return { commandId: id, correlationId: id, actor: 'ak_test' };
  }

  async wallet(accountId: string): Promise<string> {
    const { wallets } = await this.bus.request(ProvisionWallets, { accountId, parentId: PARENT }, this.context());
    return wallets.find(({ chain }) => chain === 'eth-base')?.address ?? '';
  }

  async secondWallet(accountId: string): Promise<string> {
    const wanted = {
      accountId,
      walletId: uuid(),
      name: 'Second',
      chain: 'eth-base',
      metadata: {},
      uiEnabled: false,
    } as const;
    return (await this.bus.request(CreateWallet, wanted, this.context())).address;
  }

  async issue(more: Partial<IssueCertificatePayload> = {}): Promise<CertificateRecord> {
    const walletAddress = more.walletAddress ?? (await this.wallet(OWNER));
    const payload = {
      certificateId: uuid(),
      accountId: OWNER,
      walletAddress,
      amount: '100',
      rewardTier: null,
      otherwiseTier: null,
      issuedBy: 'staff',
      ...more,
    };
    return this.bus.request(IssueCertificate, payload, this.context());
  }

  /** A certificate whose token is in the owner's wallet. */
  async minted(): Promise<CertificateRecord> {
    const { id } = await this.issue();
    return this.standing(id, 'active');
  }

  async standing(id: string, status: CertificateRecord['status']): Promise<CertificateRecord> {
    return eventually(async () => {
      const found = await this.bus.request(GetAnyCertificate, { certificateId: id }, this.context());
      if (found?.status !== status) throw new Error(`the certificate is ${found?.status}`);
      return found;
    });
  }

  transfer(
    certificate: CertificateRecord,
    targetAddress: string,
    more: {
      readonly key?: string;
      readonly externalId?: string;
      readonly sourceAddress?: string;
      readonly accountId?: string;
      readonly bodyHash?: string;
    } = {},
  ): Promise<NftTransferRecord> {
    const {
      key = freshId(),
      externalId = null,
      sourceAddress = certificate.walletAddress,
      accountId = OWNER,
      bodyHash = 'body',
    } = more;
    const payload = {
      transferId: derivedId('nft', key),
      callerAccountId: PARENT,
      accountId,
      sourceAddress,
      targetAddress,
      certificateId: certificate.id,
      externalId,
      bodyHash,
    };
    return this.bus.request(CreateNftTransfer, payload, this.context());
  }

  /** Two members of staff have decided about the target of a transfer. */
  async review(subject: AddressSubject, outcome: 'clear' | 'refused'): Promise<void> {
    this.outcomes.set(subject.id, outcome);
    await this.setup.store.append(`addressReview-${subject.id}`, -1, [addressReviewed(subject, outcome)]);
  }

  async ended(id: string): Promise<NftTransferRecord> {
    return eventually(async () => {
      const found = await this.bus.request(GetAnyNftTransfer, { transferId: id }, this.context());
      if (found?.state !== 'completed' && found?.state !== 'failed') throw new Error(`the transfer is ${found?.state}`);
      return found;
    });
  }

  /** Each certificate that the account sees, with its status and its wallet. */
  async listed(accountId: string, status: CertificateRecord['status'] | null = null): Promise<string[]> {
    const page = { limit: 50, cursor: null, createdFrom: null, createdTo: null };
    const { items } = await this.bus.request(
      ListCertificates,
      { accountId, filters: { status, walletAddress: null }, page },
      this.context(),
    );
    return items.map((one) => `${one.id} ${one.status} ${one.walletAddress}`);
  }

  ofType(type: string): Recorded[] {
    return this.setup.events().filter((event) => event.type === type);
  }
}
