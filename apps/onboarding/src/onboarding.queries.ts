import * as account from './account/account.queries';
import { AccountListings } from './account/account-listings.service';
import { GetAccountRequestHandler, ListAccountRequestsHandler } from './account-request/account-requests.query';
import { GetApiKeyHandler } from './api-key/get-api-key.query';
import { ListAccountsHandler } from './account/list-accounts.query';
import { ListReviewQueueHandler, GetReviewHistoryHandler } from './review/review-queue.query';
import { ReviewQueue } from './review/review-queue.read-model';
import { SignInStaffHandler, GetStaffUserHandler } from './staff-user/staff-users.query';

/** The query handlers of the module and the services that they use. */
export const QUERIES = [
  GetAccountRequestHandler,
  ListAccountRequestsHandler,
  account.GetAccountHandler,
  account.GetAccountStandingHandler,
  GetApiKeyHandler,
  account.GetHolderHandler,
  account.GetRewardTierHandler,
  account.GetWhitelistedWalletsHandler,
  AccountListings,
  account.GetAccountListingHandler,
  account.ListAllAccountsHandler,
  account.ListFrozenAccountsHandler,
  account.GetAccountParentHandler,
  ListAccountsHandler,
  ReviewQueue,
  ListReviewQueueHandler,
  GetReviewHistoryHandler,
  SignInStaffHandler,
  GetStaffUserHandler,
];
