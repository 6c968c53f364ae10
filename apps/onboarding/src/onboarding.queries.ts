import {
  GetAccountHandler,
  GetAccountParentHandler,
  GetAccountStandingHandler,
  GetHolderHandler,
  GetRewardTierHandler,
  GetWhitelistedWalletsHandler,
} from './account/account.queries';
import { AccountListings } from './account/account-listings';
import { GetAccountRequestHandler, ListAccountRequestsHandler } from './account-request/account-requests.query';
import { GetApiKeyHandler } from './api-key/get-api-key.query';
import { ListAccountsHandler } from './account/list-accounts.query';
import { ListReviewQueueHandler, GetReviewHistoryHandler } from './review/review-queue.query';
import { SignInStaffHandler, GetStaffUserHandler } from './staff-user/staff-users.query';

/** What answers queries, for the module. */
export const QUERIES = [
  GetAccountRequestHandler,
  ListAccountRequestsHandler,
  GetAccountHandler,
  GetAccountStandingHandler,
  GetApiKeyHandler,
  GetHolderHandler,
  GetRewardTierHandler,
  GetWhitelistedWalletsHandler,
  AccountListings,
  GetAccountParentHandler,
  ListAccountsHandler,
  ListReviewQueueHandler,
  GetReviewHistoryHandler,
  SignInStaffHandler,
  GetStaffUserHandler,
];
