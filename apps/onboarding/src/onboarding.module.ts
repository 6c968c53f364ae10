import type { OnApplicationBootstrap, OnApplicationShutdown } from '@nestjs/common';
import { Inject, Module } from '@nestjs/common';
import type { Projector, ViewTable } from '@ponte/engines';
import { createViewTable, runProjector } from '@ponte/engines';
import type { Checkpoints, EventStore, Lease } from '@ponte/event-sourcing';
import { VIEW_CHECKPOINTS, EVENT_STORE, LEASE, LOGGER, VIEWS } from '@ponte/nest';
import type { Kysely } from 'kysely';
import type { Logger } from 'pino';
import { Accounts } from './commands/accounts';
import { ChangeCapabilitiesHandler } from './commands/change-capabilities';
import { CreateApiKeyHandler } from './commands/create-api-key';
import { FreezeAccountHandler } from './commands/freeze-account';
import { OpenAccountHandler } from './commands/open-account';
import { RegisterBankAccountHandler } from './commands/register-bank-account';
import { RevokeApiKeyHandler } from './commands/revoke-api-key';
import { account } from './domain/account/account';
import { OnboardingMessages } from './messages.controller';
import type { AccountRow } from './ports/accounts-table';
import { ACCOUNTS_TABLE } from './ports/accounts-table';
import { GetAccountHandler } from './queries/get-account';
import { GetApiKeyHandler } from './queries/get-api-key';
import { GetHolderHandler } from './queries/get-holder';
import { ListAccountsHandler } from './queries/list-accounts';
import { ListAllAccountsHandler } from './queries/list-all-accounts';
import { AccountsView } from './views/accounts';
import { CatchUpAccounts } from './views/catch-up-accounts';

@Module({
  controllers: [OnboardingMessages],
  providers: [
    { provide: ACCOUNTS_TABLE, useFactory: accountsTable, inject: [VIEWS] },
    AccountsView, CatchUpAccounts, Accounts,
    OpenAccountHandler, ChangeCapabilitiesHandler, RegisterBankAccountHandler, FreezeAccountHandler, CreateApiKeyHandler, RevokeApiKeyHandler,
    GetAccountHandler, GetHolderHandler, GetApiKeyHandler, ListAccountsHandler, ListAllAccountsHandler,
  ],
})
export class OnboardingModule implements OnApplicationBootstrap, OnApplicationShutdown {
  private catchUp: Projector | undefined;

  constructor(
    private readonly accounts: CatchUpAccounts,
    @Inject(EVENT_STORE) private readonly store: EventStore,
    @Inject(VIEW_CHECKPOINTS) private readonly checkpoints: Checkpoints,
    @Inject(LEASE) private readonly lease: Lease,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  onApplicationBootstrap(): void {
    const { store, checkpoints, lease, logger } = this;
    this.catchUp = runProjector({
      store, checkpoints, lease, logger, name: 'onboarding-accounts', categories: [account.category], apply: ({ events }) => this.accounts.apply(events),
    });
  }

  /** Before the engines close. */
  async onApplicationShutdown(): Promise<void> {
    await this.catchUp?.stop();
  }
}

async function accountsTable(views: Kysely<unknown>): Promise<ViewTable<AccountRow>> {
  const table = createViewTable<AccountRow>({
    db: views,
    table: 'onboarding_accounts',
    columns: {
      parent_id: 'text?', alias: 'text', status: 'text', external_id: 'text?', onboarding_mode: 'text?', capabilities: 'json', tax_id_fingerprint: 'text',
    },
    indices: [['parent_id'], []],
  });
  await table.prepare();
  return table;
}
