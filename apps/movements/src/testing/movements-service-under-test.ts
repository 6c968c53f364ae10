import 'reflect-metadata';
import { Module } from '@nestjs/common';
import type { INestMicroservice } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { AccountStatus, KeyStatement } from '@ponte/contracts';
import { GetAccount } from '@ponte/contracts';
import type { RequestContext } from '@ponte/event-sourcing';
import type { Chain } from '@ponte/kernel';
import { CHAINS, derivedId } from '@ponte/kernel';
import type { Engines } from '@ponte/nest';
import type { OperatorDuty } from '@ponte/operator';
import { BusTransport, EnginesModule, createLogger, openEmbeddedEngines } from '@ponte/nest';
import { MemoryEventStore, MemoryLog, eventually, freshId } from '@ponte/testing';
import { served } from '../chain/adapters/open-chains';
import { SimulatedChain } from '../chain/adapters/simulated/simulated.chain.adapter';
import { SimulatedSigner } from '../signer/adapters/simulated.keystore.adapter';
import { MovementsModule } from '../movements.module';
import type { EvmChain } from '../chain/chain.port';
import { MAX_OPERATOR_KEYS, formerKeyIds, formerPrefix, operatorKeyIds } from '../movements-settings.port';
import { withFormerKeys } from '../signer/adapters/with-former-keys.keystore.adapter';
import { policedSigner } from '../signer/adapters/policy/policed.signer.adapter';
import { CountedRounds } from './counted-rounds';
import type { Setup } from './movements-setup';
import { formerIn } from './movements-setup';

export type { Setup } from './movements-setup';

@Module({})
class Root {}

const POLL_MS = 25;
/** How long the reconciliation lets the ledger lag. */
export const LEDGER_LAG_MS = 3_000;
export const signer = new SimulatedSigner();

/** The service over simulated chains and a log, which outlive its process. */
export class MovementsServiceUnderTest {
  log: MemoryLog;
  store: MemoryEventStore;
  readonly rounds = new CountedRounds();
  readonly chains: ReadonlyMap<Chain, SimulatedChain>;
  /** Statuses of accounts. Accounts that are not in it are active. */
  readonly statuses = new Map<string, AccountStatus>();
  private engines: Engines | undefined;
  private app: INestMicroservice | undefined;
  private readonly name = freshId();
  private requestCount = 0;

  constructor(
    private readonly folder: string,
    private readonly setup: Setup = {},
  ) {
    const { instant = true, confirmations = 1, finality = confirmations, beside } = setup;
    this.log = beside?.log ?? new MemoryLog();
    this.store = this.opened();
    this.chains =
      beside?.chains ?? new Map(CHAINS.map((chain) => [chain, new SimulatedChain({ chain, instant, finality })]));
  }

  get base(): SimulatedChain {
    return this.chains.get('eth-base') as SimulatedChain;
  }

  async start(data = this.folder): Promise<this> {
    this.store = this.opened();
    const runtime = {
      environment: 'sandbox',
      dataDirectory: data,
      port: 0,
      logLevel: 'silent',
      embeddedByName: true,
      failpoint: null,
    } as const;
    const engines = await openEmbeddedEngines(runtime, 'movements', {
      store: this.store,
      logger: createLogger('movements', 'silent'),
      checkRequests: true,
    });
    const {
      confirmations = 1,
      limits = {},
      operatorKeys = 1,
      serve = (chain: SimulatedChain): EvmChain => chain,
    } = this.setup;
    const deployments = [...this.chains.values()].map(({ deployment }) => deployment);
    const all = [...this.chains.values()].map((evm) => ({
      evm: serve(evm),
      confirmations,
      minter: evm.deployment.minter,
      custody: evm.deployment.custody,
      tokens: evm.deployment.tokens,
    }));
    const { keys = signer } = this.setup;
    const former = formerIn(this.setup);
    const formerOnes = formerKeyIds(former);
    const keystores = new Map(former.map(({ number, keys: of }) => [formerPrefix(number), of]));
    const policed = policedSigner(await withFormerKeys(keys, keystores, operatorKeyIds(operatorKeys), formerOnes), {
      operatorKeyIds: [...operatorKeyIds(MAX_OPERATOR_KEYS), ...formerOnes],
      deployments,
      limits,
      now: Date.now,
    });
    const { forget = true } = this.setup;
    const open = this.setup.open ?? { chains: served(all), signer: policed, forget, stop: async () => undefined };
    const module = MovementsModule.over(
      {
        chains: { kind: 'simulated' },
        keystore: { kind: 'file', passphrase: 'x' },
        formerKeys: former.map(({ number, count }) => ({ number, count, keystore: { kind: 'file', passphrase: 'x' } })),
        signerLimits: {},
        operatorKeys,
        pollMs: this.setup.pollMs ?? POLL_MS,
        raiseFeeMs: this.setup.raiseFeeMs ?? 3_600_000,
        liquidityMs: this.setup.liquidityMs ?? 3_600_000,
        ledgerLagMs: LEDGER_LAG_MS,
      },
      open,
    );
    this.app = await NestFactory.createMicroservice(
      { module: Root, imports: [EnginesModule.forRoot(this.rounds.over(engines)), module] },
      { strategy: new BusTransport(engines.bus), logger: false, abortOnError: false },
    );
    engines.bus.handle(GetAccount.pattern, async (payload) => {
      const { accountId } = payload as { accountId: string };
      return { accountId, parentId: null, status: this.statuses.get(accountId) ?? 'active' };
    });
    await this.app.listen();
    engines.timers.start();
    this.engines = engines;
    return this;
  }

  async stop(): Promise<void> {
    const { app, engines } = this;
    this.app = this.engines = undefined;
    await engines?.timers.stop();
    await app?.close();
    await engines?.close();
  }

  private opened(): MemoryEventStore {
    return new MemoryEventStore({ log: this.log, soleWriter: !this.setup.replicated });
  }

  /** Executes a duty as an operator requests it, as soon as this process has the lease for it. */
  async operate(verb: string, subject: Readonly<Record<string, string>> = {}, by?: KeyStatement): Promise<string> {
    const duty = (this.engines as Engines).duties.get(verb);
    await eventually(() => expect(duty?.can(subject)).toBe(true));
    return (duty as OperatorDuty).carryOut(subject, new AbortController().signal, by);
  }

  get readModels() {
    return (this.engines as Engines).readModels;
  }

  get backlogs() {
    return (this.engines as Engines).backlogs;
  }

  get bus() {
    return (this.engines as Engines).bus;
  }

  context(): RequestContext {
    this.requestCount += 1;
    const id = derivedId('test', String(this.requestCount), this.name);
    return { commandId: id, correlationId: id, actor: 'test' };
  }

  /** The value of a gauge in this process. */
  async gauge(name: string, labels: Readonly<Record<string, string>>): Promise<number | undefined> {
    const { values } = (await this.engines?.metrics.registry.getSingleMetric(name)?.get()) ?? { values: [] };
    return values.find((one) => Object.entries(labels).every(([label, value]) => one.labels[label] === value))?.value;
  }
}
