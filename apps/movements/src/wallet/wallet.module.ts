import { AccountWallets } from './account-wallets.service';
import { ChangeWalletMetadataHandler } from './change-wallet-metadata.command';
import { CreateWalletHandler } from './create-wallet.command';
import { GetWalletBalancesHandler } from './get-wallet-balances.query';
import { GetAccountWalletsHandler, ListWalletsHandler } from './wallet.queries';
import { PromisedTokens } from '../wallet-funds/promised-tokens.service';
import { ProvisionWalletsHandler } from './provision-wallets.command';
import { ResolveWalletHandler } from './resolve-wallet.query';
import { WalletAddressStreams, WalletSlotStreams, Wallets } from './wallets.repository';
import { WalletFunds } from '../wallet-funds/wallet-funds.service';
import { WalletMessages } from './wallet.controller';

/** The wallets of accounts. */
export const WALLET_CONTROLLERS = [WalletMessages] as const;

export const WALLET_PROVIDERS = [
  Wallets,
  WalletSlotStreams,
  WalletAddressStreams,
  AccountWallets,
  WalletFunds,
  PromisedTokens,
  ProvisionWalletsHandler,
  CreateWalletHandler,
  ChangeWalletMetadataHandler,
  ListWalletsHandler,
  GetWalletBalancesHandler,
  GetAccountWalletsHandler,
  ResolveWalletHandler,
] as const;
