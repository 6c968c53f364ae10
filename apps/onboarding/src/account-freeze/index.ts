import { GetAccountStandingHandler, ListFrozenAccountsHandler } from './account-standing.query';
import { FreezeAccountHandler } from './freeze-account.command';
import { FreezeAutomaticallyHandler } from './freeze-automatically.command';
import { FreezeMetrics } from './freeze-metrics';

/** What freezes accounts and tells of it, for the module. */
export const ACCOUNT_FREEZE = [
  FreezeAccountHandler,
  FreezeAutomaticallyHandler,
  FreezeMetrics,
  GetAccountStandingHandler,
  ListFrozenAccountsHandler,
];
