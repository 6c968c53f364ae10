import { Controller } from '@nestjs/common';
import * as contracts from '@ponte/contracts';
import { forwardRequests, policiesController } from '@ponte/nest';
import * as account from './account/account.queries';
import { ChangeCapabilitiesCommand } from './account/change-capabilities.command';
import { ListAccountsQuery } from './account/list-accounts.query';
import { OpenAccountCommand } from './account/open-account.command';
import { RegisterBankAccountCommand } from './account/register-bank-account.command';
import { CreateApiKeyCommand } from './api-key/create-api-key.command';
import { GetApiKeyQuery } from './api-key/get-api-key.query';
import { RevokeApiKeyCommand } from './api-key/revoke-api-key.command';
import { POLICIES } from './onboarding.policies';
import { WhitelistWalletCommand } from './wallet/whitelist-wallet.command';

/** Requests about accounts and API keys. */
@Controller()
export class OnboardingMessages extends forwardRequests(
  [contracts.OpenAccount, OpenAccountCommand],
  [contracts.ChangeCapabilities, ChangeCapabilitiesCommand],
  [contracts.RegisterBankAccount, RegisterBankAccountCommand],
  [contracts.WhitelistWallet, WhitelistWalletCommand],
  [contracts.CreateApiKey, CreateApiKeyCommand],
  [contracts.RevokeApiKey, RevokeApiKeyCommand],
  [contracts.GetAccount, account.GetAccountQuery],
  [contracts.GetAccountListing, account.GetAccountListingQuery],
  [contracts.GetAccountParent, account.GetAccountParentQuery],
  [contracts.GetRewardTier, account.GetRewardTierQuery],
  [contracts.GetHolder, account.GetHolderQuery],
  [contracts.GetWhitelistedWallets, account.GetWhitelistedWalletsQuery],
  [contracts.ListAccounts, ListAccountsQuery],
  [contracts.ListAllAccounts, account.ListAllAccountsQuery],
  [contracts.GetApiKey, GetApiKeyQuery],
) {}

/**
 * Receives the service's own events, because each step of an account request follows from the previous one, and those
 * of the ledger that name people.
 */
export const OnboardingEvents = policiesController(['onboarding', 'ledger'], 'onboarding', POLICIES);
