import { GetAccountRequestHandler, ListAccountRequestsHandler } from './account-request/account-requests.query';
import { GetAccountHandler } from './account/get-account.query';
import { AccountListings, GetAccountListingHandler } from './account/get-account-listing.query';
import { GetAccountParentHandler } from './account/get-account-parent.query';
import { GetApiKeyHandler } from './api-key/get-api-key.query';
import { GetHolderHandler } from './person/get-holder.query';
import { GetRewardTierHandler } from './account/get-reward-tier.query';
import { GetWhitelistedWalletsHandler } from './wallet/get-whitelisted-wallets.query';
import { ListAccountsHandler } from './account/list-accounts.query';
import { ListAllAccountsHandler } from './account/list-all-accounts.query';
import { ListReviewQueueHandler, GetReviewHistoryHandler } from './review/review-queue.query';
import { SignInStaffHandler, GetStaffUserHandler } from './staff-user/staff-users.query';

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
