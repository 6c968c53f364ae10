import { Controller, Inject } from '@nestjs/common';
import { CommandBus, QueryBus } from '@nestjs/cqrs';
import { Ctx, MessagePattern, Payload } from '@nestjs/microservices';
import type { CreateApiKeyPayload, OpenAccountPayload } from '@ponte/contracts';
import * as contracts from '@ponte/contracts';
import type { PayloadOf, Recorded, RequestContext } from '@ponte/event-sourcing';
import type { Policies } from '@ponte/nest';
import { Consumes, policiesOf, typesHandledBy } from '@ponte/nest';
import { ChangeCapabilitiesCommand } from './account/change-capabilities.command';
import { CreateApiKeyCommand } from './api-key/create-api-key.command';
import { OpenAccountCommand } from './account/open-account.command';
import { RegisterBankAccountCommand } from './account/register-bank-account.command';
import { RevokeApiKeyCommand } from './api-key/revoke-api-key.command';
import { WhitelistWalletCommand } from './wallet/whitelist-wallet.command';
import { WhenWithdrawalCreatedNotePayee } from './person/when-withdrawal-created-note-payee.policy';
import { WhenPixReceivedNoteMention } from './person/when-pix-received-note-mention.policy';
import { GetApiKeyQuery } from './api-key/get-api-key.query';
import { AccountListings } from './account/account-listings';
import {
  GetAccountParentQuery,
  GetAccountQuery,
  GetHolderQuery,
  GetRewardTierQuery,
  GetWhitelistedWalletsQuery,
} from './account/account.queries';
import { AccountReadModel } from './account/accounts.read-model';
import { ListAccountsQuery } from './account/list-accounts.query';

type Of<D extends keyof typeof contracts> = PayloadOf<(typeof contracts)[D]>;

@Controller()
export class OnboardingMessages {
  constructor(
    private readonly commands: CommandBus,
    private readonly queries: QueryBus,
    private readonly listings: AccountListings,
    private readonly accounts: AccountReadModel,
    @Inject(policiesOf('onboarding')) private readonly policies: Policies,
  ) {}

  @MessagePattern(contracts.OpenAccount.pattern)
  openAccount(@Payload() payload: OpenAccountPayload, @Ctx() context: RequestContext) {
    return this.commands.execute(new OpenAccountCommand(payload, context, 'operator'));
  }

  @MessagePattern(contracts.ChangeCapabilities.pattern)
  changeCapabilities(@Payload() payload: Of<'ChangeCapabilities'>, @Ctx() context: RequestContext) {
    return this.commands.execute(new ChangeCapabilitiesCommand(payload, context));
  }

  @MessagePattern(contracts.RegisterBankAccount.pattern)
  registerBankAccount(@Payload() payload: Of<'RegisterBankAccount'>, @Ctx() context: RequestContext) {
    return this.commands.execute(new RegisterBankAccountCommand(payload, context));
  }

  @MessagePattern(contracts.CreateApiKey.pattern)
  createApiKey(@Payload() payload: CreateApiKeyPayload, @Ctx() context: RequestContext) {
    return this.commands.execute(new CreateApiKeyCommand(payload, context));
  }

  @MessagePattern(contracts.RevokeApiKey.pattern)
  revokeApiKey(@Payload() payload: Of<'RevokeApiKey'>, @Ctx() context: RequestContext) {
    return this.commands.execute(new RevokeApiKeyCommand(payload, context));
  }

  @MessagePattern(contracts.GetAccount.pattern)
  getAccount(@Payload() payload: Of<'GetAccount'>) {
    return this.queries.execute(new GetAccountQuery(payload));
  }

  @MessagePattern(contracts.GetAccountListing.pattern)
  getAccountListing(@Payload() { accountId }: Of<'GetAccountListing'>) {
    return this.listings.of(accountId);
  }

  @MessagePattern(contracts.GetAccountParent.pattern)
  getAccountParent(@Payload() payload: Of<'GetAccountParent'>) {
    return this.queries.execute(new GetAccountParentQuery(payload));
  }

  @MessagePattern(contracts.GetRewardTier.pattern)
  getRewardTier(@Payload() payload: Of<'GetRewardTier'>) {
    return this.queries.execute(new GetRewardTierQuery(payload));
  }

  @MessagePattern(contracts.ListAccounts.pattern)
  listAccounts(@Payload() payload: Of<'ListAccounts'>) {
    return this.queries.execute(new ListAccountsQuery(payload));
  }

  @MessagePattern(contracts.ListAllAccounts.pattern)
  listAllAccounts(@Payload() { page }: Of<'ListAllAccounts'>) {
    return this.accounts.all(page);
  }

  @MessagePattern(contracts.GetHolder.pattern)
  getHolder(@Payload() payload: Of<'GetHolder'>) {
    return this.queries.execute(new GetHolderQuery(payload));
  }

  @MessagePattern(contracts.GetApiKey.pattern)
  getApiKey(@Payload() payload: Of<'GetApiKey'>) {
    return this.queries.execute(new GetApiKeyQuery(payload));
  }

  @MessagePattern(contracts.WhitelistWallet.pattern)
  whitelistWallet(@Payload() payload: Of<'WhitelistWallet'>, @Ctx() context: RequestContext) {
    return this.commands.execute(new WhitelistWalletCommand(payload, context));
  }

  @MessagePattern(contracts.GetWhitelistedWallets.pattern)
  getWhitelistedWallets(@Payload() payload: Of<'GetWhitelistedWallets'>) {
    return this.queries.execute(new GetWhitelistedWalletsQuery(payload));
  }

  /** Its own facts: each step of an account request follows from the one before. */
  @Consumes('onboarding', 'onboarding')
  onOnboarding(@Payload() event: Recorded) {
    return this.policies.dispatch(event);
  }

  @Consumes('ledger', 'onboarding', typesHandledBy([WhenPixReceivedNoteMention, WhenWithdrawalCreatedNotePayee]))
  onLedger(@Payload() event: Recorded) {
    return this.policies.dispatch(event);
  }
}
