import { Inject, Module } from '@nestjs/common';
import type { DynamicModule, OnApplicationBootstrap, OnApplicationShutdown, OnModuleInit } from '@nestjs/common';
import { LOGGER, providePolicies, provideReadModels } from '@ponte/nest';
import type { Logger } from 'pino';
import { ScreenTarget } from './address-screening/screen-target.service';
import { WaitingTargets } from './address-screening/waiting-targets.service';
import type { OpenChains } from './chain/adapters/open-chains';
import { OPEN_CHAINS, MOVEMENTS_CONFIG, CHAIN_PROVIDERS } from './chain/chain.module';
import { EarlyDepositChecks } from './early-deposits/early-deposit-checks.read-model';
import { FinalityChecker } from './finality/finality-checker.service';
import { LossReports } from './reorg/loss-reports.service';
import { SETTINGS } from './movements-settings.port';
import type { MovementsSettings } from './movements-settings.port';
import type { MovementsConfig } from './movements.config';
import { MovementsEvents, MovementsMessages } from './movements.controller';
import { MOVEMENTS_POLICIES } from './movements.policies';
import { CERTIFICATE_CONTROLLERS, CERTIFICATE_PROVIDERS } from './certificates/certificates.module';
import { ChainDuties } from './operator/chain-duties.service';
import { MovementDuties } from './operator/movement-duties.service';
import { MOVEMENTS_READ_MODELS } from './movements.read-models';
import { ReconciliationJob } from './reconciliation/reconcile.job';
import { Reconciler } from './reconciliation/reconciler.service';
import { TransactionsUnderWay } from './reconciliation/transactions-under-way.service';
import { RestoreLostHandler } from './reorg/restore-lost.command';
import { FrozenAccounts } from './sending/frozen-accounts.service';
import { GiveUpUnsent } from './unsent/give-up-unsent.service';
import { EndUnsignedMovementsHandler } from './unsent/end-unsigned-movements.command';
import { GiveUpKeylessHandler } from './unsent/give-up-keyless.command';
import { HarmlessBytes } from './unsent/harmless-bytes.service';
import { KeylessEnds } from './unsent/keyless-end.service';
import { OpenMovements } from './unsent/open-movements.service';
import { RefusedMovements } from './unsent/refused-movements.service';
import { Nonces } from './sending/nonces.service';
import { Sender } from './sending/sender.service';
import { Sent } from './sending/sent.service';
import { GetSettlementHandler } from './settlement/get-settlement.query';
import { RefuseSettlementHandler } from './settlement/refuse-settlement.command';
import { RequestSettlementHandler } from './settlement/request-settlement.command';
import { TreasuryReservations } from './settlement/treasury-reservations.service';
import { KeyFinalities } from './signer-key/key-finalities.service';
import { NonceGaps } from './signer-key/nonce-gaps.service';
import { PendingByKey } from './signer-key/pending-by-key.service';
import { SIGNER } from './signer/signer.port';
import { SignedAmounts } from './signer-policy/signed-amounts.service';
import type { Signer } from './signer/signer.port';
import { DepositCursors } from './token-deposits/deposit-cursors.read-model';
import { TOKEN_DEPOSIT_PROVIDERS } from './token-deposits/token-deposits.module';
import { FindHouseAddressesHandler } from './token-movement/find-house-addresses.query';
import { CheckTokenMovementHandler } from './token-movement/check-token-movement.query';
import { HouseAddresses, TokenDestinations } from './token-movement/token-destinations.service';
import { AcceptedMovements } from './token-movement/accepted-movements.service';
import { TransactionEnds } from './token-movement/transaction-ends.service';
import { RequestMissingMovements } from './token-movement/request-missing-movements.job';
import { RequestOrRefuse } from './token-movement/request-or-refuse.service';
import { RequestTokenMovementHandler } from './token-movement/request-token-movement.command';
import { SendSuspenseHandler } from './suspense-sending/send-suspense.command';
import { SendTokenWithdrawalHandler } from './token-withdrawal/send-token-withdrawal.command';
import { ChainTransactions } from './transactions/chain-transactions.service';
import { TRANSACTIONS_READER } from './transactions/pending-transactions.read-model';
import { MovementsMetrics } from './transactions/transactions.metrics';
import { WatcherServices } from './transactions/watcher-services.service';
import { Watchers } from './transactions/watchers.service';
import { assertRecordedWallets } from './wallet/assert-recorded-wallets';
import { WalletReadModel } from './wallet/wallets.read-model';
import { TRANSFER_CONTROLLERS, TRANSFER_PROVIDERS } from './transfer/transfer.module';
import { WALLET_CONTROLLERS, WALLET_PROVIDERS } from './wallet/wallet.module';

@Module({
  controllers: [
    MovementsMessages,
    MovementsEvents,
    ...TRANSFER_CONTROLLERS,
    ...WALLET_CONTROLLERS,
    ...CERTIFICATE_CONTROLLERS,
  ],
  providers: [
    ...CHAIN_PROVIDERS,
    ...TRANSFER_PROVIDERS,
    ...WALLET_PROVIDERS,
    ...TOKEN_DEPOSIT_PROVIDERS,
    ChainTransactions,
    TreasuryReservations,
    TokenDestinations,
    CheckTokenMovementHandler,
    FindHouseAddressesHandler,
    FrozenAccounts,
    GiveUpUnsent,
    WaitingTargets,
    Nonces,
    KeyFinalities,
    NonceGaps,
    PendingByKey,
    FinalityChecker,
    LossReports,
    Sent,
    SignedAmounts,
    Sender,
    WatcherServices,
    Watchers,
    MovementsMetrics,
    RequestSettlementHandler,
    RefuseSettlementHandler,
    GetSettlementHandler,
    Reconciler,
    TransactionsUnderWay,
    ReconciliationJob,
    ChainDuties,
    MovementDuties,
    RequestTokenMovementHandler,
    RefusedMovements,
    KeylessEnds,
    HarmlessBytes,
    RequestOrRefuse,
    AcceptedMovements,
    TransactionEnds,
    RequestMissingMovements,
    SendTokenWithdrawalHandler,
    SendSuspenseHandler,
    HouseAddresses,
    RestoreLostHandler,
    GiveUpKeylessHandler,
    OpenMovements,
    EndUnsignedMovementsHandler,
    ScreenTarget,
    ...CERTIFICATE_PROVIDERS,
    ...provideReadModels(MOVEMENTS_READ_MODELS, { then: { reader: TRANSACTIONS_READER, listener: Watchers } }),
    ...providePolicies('movements', MOVEMENTS_POLICIES),
  ],
})
export class MovementsModule implements OnModuleInit, OnApplicationBootstrap, OnApplicationShutdown {
  constructor(
    @Inject(OPEN_CHAINS) private readonly open: OpenChains,
    private readonly depositCursors: DepositCursors,
    private readonly earlyDeposits: EarlyDepositChecks,
    private readonly watchers: Watchers,
    @Inject(SIGNER) private readonly signer: Signer,
    @Inject(SETTINGS) private readonly settings: MovementsSettings,
    @Inject(LOGGER) private readonly logger: Logger,
    @Inject(MOVEMENTS_CONFIG) private readonly config: MovementsConfig,
    private readonly wallets: WalletReadModel,
  ) {}

  /** The service with the given settings, chains and keys. */
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
    await this.depositCursors.prepare();
    await this.earlyDeposits.prepare();
  }

  async onApplicationBootstrap(): Promise<void> {
    if (this.config.chains.kind === 'rpc') await assertRecordedWallets(this.open.chains, this.wallets);
    this.watchers.start();
    void this.logOperators();
  }

  /** Logs the addresses that the contracts must name as operators and that need gas. */
  private async logOperators(): Promise<void> {
    for (const keyId of this.settings.heldKeyIds) {
      const address = await this.signer.addressOf(keyId).catch(() => 'not available');
      this.logger.info({ keyId, address }, 'operator key');
    }
  }

  async onApplicationShutdown(): Promise<void> {
    await this.open.stop();
  }
}
