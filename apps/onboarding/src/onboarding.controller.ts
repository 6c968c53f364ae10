import { Controller, Inject } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { Payload } from '@nestjs/microservices';
import * as contracts from '@ponte/contracts';
import type { Recorded } from '@ponte/event-sourcing';
import type { Policies } from '@ponte/nest';
import { Consumes, forwardRequests, policiesOf, typesHandledBy } from '@ponte/nest';
import * as account from './account/account.queries';
import { ChangeCapabilitiesCommand } from './account/change-capabilities.command';
import { ListAccountsQuery } from './account/list-accounts.query';
import { OpenAccountCommand } from './account/open-account.command';
import { RegisterBankAccountCommand } from './account/register-bank-account.command';
import { CreateApiKeyCommand } from './api-key/create-api-key.command';
import { GetApiKeyQuery } from './api-key/get-api-key.query';
import { RevokeApiKeyCommand } from './api-key/revoke-api-key.command';
import { WhenPixReceivedNoteMention } from './person/when-pix-received-note-mention.policy';
import { WhenWithdrawalCreatedNotePayee } from './person/when-withdrawal-created-note-payee.policy';
import { WhitelistWalletCommand } from './wallet/whitelist-wallet.command';

/** Requests about accounts and API keys, and the events that policies process. */
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
) {
  constructor(
    commands: CommandBus,
    queries: QueryBus,
    @Inject(policiesOf('onboarding')) private readonly policies: Policies,
  ) {
    super(commands, queries);
  }

  /** The service's own events: each step of an account request follows from the previous one. */
  @Consumes(['onboarding'], 'onboarding')
  onOnboarding(@Payload() event: Recorded) {
    return this.policies.dispatch(event);
  }

  @Consumes(['ledger'], 'onboarding', typesHandledBy([WhenPixReceivedNoteMention, WhenWithdrawalCreatedNotePayee]))
  onLedger(@Payload() event: Recorded) {
    return this.policies.dispatch(event);
  }
}
