import type { DynamicModule, OnApplicationBootstrap, OnApplicationShutdown, OnModuleInit } from '@nestjs/common';
import { Inject, Module } from '@nestjs/common';
import { runProjector } from '@ponte/read-models';
import type { Projector } from '@ponte/read-models';
import type { Checkpoints, EventStore, Lease } from '@ponte/event-sourcing';
import type { Runtime } from '@ponte/nest';
import type { Tracing } from '@ponte/observability';
import {
  EVENT_STORE,
  LEASE,
  LOGGER,
  providePolicies,
  provideReadModels,
  RUNTIME,
  TRACING,
  VIEW_CHECKPOINTS,
} from '@ponte/nest';
import type { Logger } from 'pino';
import type { OpenChains } from './chain/adapters/open-chains';
import { openChains } from './chain/adapters/open-chains';
import { tracedChains } from './chain/adapters/traced-chains';
import { MOVEMENTS_READ_MODELS, TRANSACTION_CATEGORIES, TRANSACTIONS_READER } from './rebuild.adapter';
import { ProvisionWalletsHandler } from './wallet/provision-wallets.command';
import { RequestMintHandler } from './mint/request-mint.command';
import { GetSettlementHandler } from './settlement/get-settlement.query';
import { RequestSettlementHandler } from './settlement/request-settlement.command';
import { MovementsMessages } from './movements.controller';
import type { MovementsConfig } from './movements.config';
import {
  LIQUIDITY_MS,
  MAX_FEE_GWEI,
  RAISE_FEE_MS,
  RECONCILE_MS,
  SCREEN_AGAIN_MS,
  readMovementsConfig,
} from './movements.config';
import { CERTIFICATE_CONTROLLERS, CERTIFICATE_PROVIDERS } from './nft-transfer/nft-transfer-parts';
import { SERVED_CHAINS } from './chain/served-chains.port';
import type { MovementsSettings } from './movements-settings.port';
import { MOST_OPERATOR_KEYS, operatorKeyIds, SETTINGS } from './movements-settings.port';
import type { Signer } from './signer/signer.port';
import { SIGNER } from './signer/signer.port';
import { GetAccountWalletsHandler } from './wallet/get-account-wallets.query';
import { GetChainsHandler } from './chain/get-chains.query';
import { GetSharePriceHandler } from './chain/get-share-price.query';
import { GetMintHandler } from './mint/get-mint.query';
import { ResolveWalletHandler } from './wallet/resolve-wallet.query';
import { SendTokenWithdrawalHandler } from './token-withdrawal/send-token-withdrawal.command';
import { CheckTokenDestinationHandler } from './token-movement/check-token-destination.query';
import { TokenDestinations } from './token-movement/token-destinations';
import { RequestTokenMovementHandler } from './token-movement/request-token-movement.command';
import { CompleteTransferHandler } from './transfer/complete-transfer.command';
import { CreateTransferHandler } from './transfer/create-transfer.command';
import { ExternalIds } from './external-id/external-ids';
import { FailTransferHandler } from './transfer/fail-transfer.command';
import { GetTransferHandler } from './transfer/get-transfer.query';
import { GiveUpHold } from './transfer/give-up-hold';
import { ListTransfersHandler } from './transfer/list-transfers.query';
import { NoteTransferPendingHandler } from './transfer/note-transfer-pending.command';
import { SendTransferHandler } from './transfer/send-transfer.command';
import { SweepTransferHolds } from './transfer/sweep-holds.job';
import { TransferMessages } from './transfer/transfer.controller';
import { TransferMetrics } from './transfer/transfer.metrics';
import { Transfers } from './transfer/transfer.repository';
import { RestoreLostHandler } from './reorg/restore-lost.command';
import { HouseAddresses } from './token-movement/house-addresses';
import { AccountWallets } from './wallet/account-wallets';
import { WalletAddressStreams } from './wallet/wallet-address.repository';
import { WalletSlotStreams } from './wallet/wallet-slots.repository';
import { ChangeWalletMetadataHandler } from './wallet/change-wallet-metadata.command';
import { CreateWalletHandler } from './wallet/create-wallet.command';
import { ListWalletsHandler } from './wallet/list-wallets.query';
import { Wallets } from './wallet/wallets.repository';
import { WalletMessages } from './wallet/wallet.controller';
import { TreasuryReservations } from './settlement/treasury-reservations';
import { ChainTransactions } from './transactions/chain-transactions';
import { MovementsMetrics } from './transactions/metrics';
import { FrozenAccounts } from './sending/frozen-accounts';
import { Nonces } from './sending/nonces';
import { Sender } from './sending/sender';
import { Sent } from './sending/sent';
import { KeyFinalities } from './signer-key/key-finalities';
import { ChainDuties } from './operator/chain-duties';
import { ReconciliationJob } from './reconciliation/reconcile.job';
import { Reconciler } from './reconciliation/reconciler';
import { FinalityChecker } from './finality/finality-checker';
import { Watchers } from './transactions/watchers';
import { PendingTransactions } from './transactions/pending-transactions';
import { SigningKeys } from './signer-key/signing-keys';
import { UnfinalTransactions } from './finality/unfinal-transactions';
import { DepositCursors } from './token-deposits/deposit-cursors.read-model';
import { AgreedTransfers } from './token-deposits/agreed-deposit-transfers.adapter';
import type { DepositTransfersOf } from './token-deposits/deposit-transfers.port';
import { DEPOSIT_TRANSFERS } from './token-deposits/deposit-transfers.port';
import { outsideSender } from './deposit-simulation/local-outside-sender.adapter';
import { OUTSIDE_SENDER } from './deposit-simulation/outside-sender.port';
import { SandboxMovementsMessages } from './deposit-simulation/sandbox.messages';
import { ScanDepositsJob } from './token-deposits/scan-deposits.job';
import { SimulateTokenDepositHandler } from './deposit-simulation/simulate-token-deposit.command';
import { WalletAddresses } from './token-deposits/wallet-addresses.read-model';
import { ScreenTarget } from './address-screening/screen-target';
import { WaitingTargets } from './address-screening/waiting-targets';
import { MOVEMENTS_POLICIES } from './movements.policies';

/**
 * What is sent and confirmed within it never becomes a row: the watcher of this process heard of it from the sender.
 */
const BREATH_MS = 100;

/** The settings of this process; tests put their own in its place. */
export const MOVEMENTS_CONFIG = Symbol('MovementsConfig');
/** Chains and keys of this process. */
const OPEN_CHAINS = Symbol('OpenChains');
const WEI_PER_GWEI = 1_000_000_000n;

@Module({
  controllers: [MovementsMessages, TransferMessages, WalletMessages, ...CERTIFICATE_CONTROLLERS],
  providers: [
    {
      provide: MOVEMENTS_CONFIG,
      useFactory: (runtime: Runtime) => readMovementsConfig(process.env, runtime.environment),
      inject: [RUNTIME],
    },
    {
      provide: OPEN_CHAINS,
      useFactory: (
        { chains: which, keyStore, operatorKeys, signerLimits: limits }: MovementsConfig,
        { dataDirectory: folder, environment }: Runtime,
      ) =>
        openChains({
          which,
          folder,
          keyStore,
          limits,
          environment,
          operatorKeyIds: operatorKeyIds(MOST_OPERATOR_KEYS),
          usedKeyIds: operatorKeyIds(operatorKeys),
        }),
      inject: [MOVEMENTS_CONFIG, RUNTIME],
    },
    {
      provide: SERVED_CHAINS,
      useFactory: ({ chains }: OpenChains, tracing: Tracing) => tracedChains(chains, tracing),
      inject: [OPEN_CHAINS, TRACING],
    },
    { provide: SIGNER, useFactory: ({ signer }: OpenChains) => signer, inject: [OPEN_CHAINS] },
    {
      provide: SETTINGS,
      useFactory: (
        {
          pollMs,
          operatorKeys,
          maxFeeGwei = MAX_FEE_GWEI,
          raiseFeeMs = RAISE_FEE_MS,
          reconcileMs = RECONCILE_MS,
          liquidityMs = LIQUIDITY_MS,
          screenAgainMs = SCREEN_AGAIN_MS,
        }: MovementsConfig,
        { forget: chainsForget }: OpenChains,
      ): MovementsSettings => ({
        operatorKeyIds: operatorKeyIds(operatorKeys),
        pollMs,
        chainsForget,
        maxFeePerGas: BigInt(maxFeeGwei) * WEI_PER_GWEI,
        raiseFeeAfterMs: raiseFeeMs,
        reconcileMs,
        liquidityMs,
        screenAgainMs,
      }),
      inject: [MOVEMENTS_CONFIG, OPEN_CHAINS],
    },
    ChainTransactions,
    TreasuryReservations,
    TokenDestinations,
    CheckTokenDestinationHandler,
    FrozenAccounts,
    WaitingTargets,
    Nonces,
    KeyFinalities,
    FinalityChecker,
    Sent,
    Sender,
    Watchers,
    PendingTransactions,
    UnfinalTransactions,
    SigningKeys,
    MovementsMetrics,
    RequestMintHandler,
    RequestSettlementHandler,
    GetSettlementHandler,
    ProvisionWalletsHandler,
    Reconciler,
    ReconciliationJob,
    ChainDuties,
    RequestTokenMovementHandler,
    SendTokenWithdrawalHandler,
    Wallets,
    WalletSlotStreams,
    WalletAddressStreams,
    AccountWallets,
    HouseAddresses,
    RestoreLostHandler,
    CreateWalletHandler,
    ChangeWalletMetadataHandler,
    ListWalletsHandler,
    ScreenTarget,
    Transfers,
    ExternalIds,
    GiveUpHold,
    SweepTransferHolds,
    TransferMetrics,
    CreateTransferHandler,
    SendTransferHandler,
    NoteTransferPendingHandler,
    CompleteTransferHandler,
    FailTransferHandler,
    GetTransferHandler,
    ListTransfersHandler,
    ...CERTIFICATE_PROVIDERS,
    GetMintHandler,
    GetAccountWalletsHandler,
    ResolveWalletHandler,
    GetChainsHandler,
    GetSharePriceHandler,
    {
      provide: DEPOSIT_TRANSFERS,
      useFactory:
        (addresses: WalletAddresses): DepositTransfersOf =>
        ({ evm }) =>
          new AgreedTransfers(evm.logNodes, addresses.of(evm.chain)),
      inject: [WalletAddresses],
    },
    DepositCursors,
    WalletAddresses,
    ScanDepositsJob,
    SimulateTokenDepositHandler,
    SandboxMovementsMessages,
    {
      provide: OUTSIDE_SENDER,
      useFactory: ({ chains }: OpenChains, { environment }: Runtime) =>
        environment === 'sandbox' ? outsideSender(chains) : null,
      inject: [OPEN_CHAINS, RUNTIME],
    },
    ...provideReadModels(MOVEMENTS_READ_MODELS),
    ...providePolicies('movements', MOVEMENTS_POLICIES),
  ],
})
export class MovementsModule implements OnModuleInit, OnApplicationBootstrap, OnApplicationShutdown {
  private projector: Projector | undefined;

  constructor(
    @Inject(OPEN_CHAINS) private readonly open: OpenChains,
    private readonly pending: PendingTransactions,
    private readonly unfinal: UnfinalTransactions,
    private readonly keys: SigningKeys,
    private readonly depositCursors: DepositCursors,
    @Inject(VIEW_CHECKPOINTS) private readonly checkpoints: Checkpoints,
    private readonly watchers: Watchers,
    @Inject(SIGNER) private readonly signer: Signer,
    @Inject(SETTINGS) private readonly settings: MovementsSettings,
    @Inject(EVENT_STORE) private readonly store: EventStore,
    @Inject(LEASE) private readonly lease: Lease,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  /** The service over chains, keys and settings of the caller's. */
  static over(config: MovementsConfig, chains: OpenChains): DynamicModule {
    return {
      module: MovementsModule,
      providers: [
        { provide: MOVEMENTS_CONFIG, useValue: config },
        { provide: OPEN_CHAINS, useValue: chains },
      ],
    };
  }

  async onModuleInit(): Promise<void> {
    await Promise.all([
      this.pending.prepare(),
      this.unfinal.prepare(),
      this.keys.prepare(),
      this.depositCursors.prepare(),
    ]);
  }

  onApplicationBootstrap(): void {
    const { store, lease, logger, checkpoints } = this;
    this.projector = runProjector({
      ...{ store, lease, logger, checkpoints },
      name: TRANSACTIONS_READER,
      categories: TRANSACTION_CATEGORIES,
      lingerMs: BREATH_MS,
      apply: async ({ events }) => {
        await this.keys.apply(events);
        await this.unfinal.apply(events);
        this.watchers.nudge(await this.pending.apply(events));
      },
    });
    this.watchers.start();
    void this.logOperators();
  }

  /** The addresses that the contracts must name as operators, and that need gas. */
  private async logOperators(): Promise<void> {
    for (const keyId of this.settings.operatorKeyIds) {
      const address = await this.signer.addressOf(keyId).catch(() => 'not available');
      this.logger.info({ keyId, address }, 'operator key');
    }
  }

  async onApplicationShutdown(): Promise<void> {
    await this.projector?.stop();
    await this.open.stop();
  }
}
