import { GetAccountRequestHandler, ListAccountRequestsHandler } from './account-requests';
import { GetAccountHandler } from './get-account';
import { AccountListings, GetAccountListingHandler } from './get-account-listing.query';
import { GetAccountParentHandler } from './get-account-parent.query';
import { GetApiKeyHandler } from './get-api-key';
import { GetHolderHandler } from './get-holder';
import { GetRewardTierHandler } from './get-reward-tier.query';
import { GetWhitelistedWalletsHandler } from './get-whitelisted-wallets';
import { ListAccountsHandler } from './list-accounts';
import { ListAllAccountsHandler } from './list-all-accounts';
import { ListReviewQueueHandler, GetReviewHistoryHandler } from './review-queue';
import { SignInStaffHandler, GetStaffUserHandler } from './staff-users';

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
