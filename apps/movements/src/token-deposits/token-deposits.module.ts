import type { Provider } from '@nestjs/common';
import { RUNTIME } from '@ponte/nest';
import type { Runtime } from '@ponte/nest';
import type { OpenChains } from '../chain/adapters/open-chains';
import { OPEN_CHAINS } from '../chain/chain.module';
import { outsideSender } from '../deposit-simulation/local.outside-sender.adapter';
import { OUTSIDE_SENDER } from '../deposit-simulation/outside-sender.port';
import { SandboxMovementsMessages } from '../deposit-simulation/sandbox.messages';
import { SimulateTokenDepositHandler } from '../deposit-simulation/simulate-token-deposit.command';
import { EarlyDepositChecks } from '../early-deposits/early-deposit-checks.read-model';
import { AgreedTransfers } from './agreed.deposit-transfers.adapter';
import { DepositCursors } from './deposit-cursors.read-model';
import { DEPOSIT_TRANSFERS } from './deposit-transfers.port';
import type { DepositTransfersOf } from './deposit-transfers.port';
import { ScanDepositsJob } from './scan-deposits.job';
import { WalletAddresses } from './wallet-addresses.read-model';

/** Detection of token deposits on the chains, and their simulation in the sandbox. */
export const TOKEN_DEPOSIT_PROVIDERS: Provider[] = [
  {
    provide: DEPOSIT_TRANSFERS,
    useFactory:
      (addresses: WalletAddresses): DepositTransfersOf =>
      ({ evm }) =>
        new AgreedTransfers(evm.logNodes, addresses.of(evm.chain)),
    inject: [WalletAddresses],
  },
  DepositCursors,
  EarlyDepositChecks,
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
];
