import { GetAccountRequestHandler, ListAccountRequestsHandler } from './account-requests.query';
import { GetAccountHandler } from './get-account.query';
import { AccountListings, GetAccountListingHandler } from './get-account-listing.query';
import { GetAccountParentHandler } from './get-account-parent.query';
import { GetApiKeyHandler } from './get-api-key.query';
import { GetHolderHandler } from './get-holder.query';
import { GetRewardTierHandler } from './get-reward-tier.query';
import { GetWhitelistedWalletsHandler } from './get-whitelisted-wallets.query';
import { ListAccountsHandler } from './list-accounts.query';
import { ListAllAccountsHandler } from './list-all-accounts.query';
import { ListReviewQueueHandler, GetReviewHistoryHandler } from './review-queue.query';
import { SignInStaffHandler, GetStaffUserHandler } from './staff-users.query';

/** What answers queries, for the module. */
export const QUERIES = [
  GetAccountRequestHandler,
  ListAccountRequestsHandler,
  GetAccountHandler,
  GetApiKeyHandler,
  GetHolderHandler,
  GetRewardTierHandler,
  GetWhitelistedWalletsHandler,
  AccountListings,
  GetAccountListingHandler,
  GetAccountParentHandler,
  ListAccountsHandler,
  ListAllAccountsHandler,
  ListReviewQueueHandler,
  GetReviewHistoryHandler,
  SignInStaffHandler,
  GetStaffUserHandler,
];
