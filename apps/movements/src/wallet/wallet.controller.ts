import { Controller } from '@nestjs/common';
import { ChangeWalletMetadata, CreateWallet, GetWalletBalances, ListWallets } from '@ponte/contracts';
import { forwardRequests } from '@ponte/nest';
import { ChangeWalletMetadataCommand } from './change-wallet-metadata.command';
import { CreateWalletCommand } from './create-wallet.command';
import { GetWalletBalancesQuery } from './get-wallet-balances.query';
import { ListWalletsQuery } from './wallet.queries';

@Controller()
export class WalletMessages extends forwardRequests(
  [CreateWallet, CreateWalletCommand],
  [ChangeWalletMetadata, ChangeWalletMetadataCommand],
  [GetWalletBalances, GetWalletBalancesQuery],
  [ListWallets, ListWalletsQuery],
) {}
