import { Controller } from '@nestjs/common';
import {
  CreateWithdrawal,
  GetAnyWithdrawal,
  GetWithdrawal,
  HandleTransactionEnd,
  ListAllWithdrawals,
  ListRefusedPayouts,
  ListStartedWithdrawals,
  ListWithdrawals,
  ListWithdrawalsTo,
  PayOutOrder,
  ResolvePixKey,
  ReviewWithdrawal,
  SettleTokenWithdrawal,
} from '@ponte/contracts';
import { forwardRequests } from '@ponte/nest';
import { ResolvePixKeyQuery } from '../key-directory/resolve-pix-key.query';
import { PayOutOrderCommand } from '../order-payout/pay-out-order.command';
import { ListRefusedPayoutsQuery } from '../refused-payout/list-refused-payouts.query';
import { HandleTransactionEndCommand } from '../token-movement/handle-transaction-end.command';
import { SettleTokenWithdrawalCommand } from '../token-withdrawal/settle-token-withdrawal.command';
import { ReviewWithdrawalCommand } from '../withdrawal-review/review-withdrawal.command';
import { CreateWithdrawalCommand } from './create-withdrawal.command';
import {
  GetWithdrawalQuery,
  ListStartedWithdrawalsQuery,
  ListWithdrawalsQuery,
  ListWithdrawalsToQuery,
} from './withdrawals.queries';

/** Withdrawals, their reviews and payees, refused payouts, and the payouts of orders. */
@Controller()
export class WithdrawalMessages extends forwardRequests(
  [CreateWithdrawal, CreateWithdrawalCommand],
  [GetWithdrawal, GetWithdrawalQuery],
  [GetAnyWithdrawal, GetWithdrawalQuery],
  [ListWithdrawals, ListWithdrawalsQuery],
  [ListAllWithdrawals, ListWithdrawalsQuery],
  [ListWithdrawalsTo, ListWithdrawalsToQuery],
  [ListStartedWithdrawals, ListStartedWithdrawalsQuery],
  [ListRefusedPayouts, ListRefusedPayoutsQuery],
  [ReviewWithdrawal, ReviewWithdrawalCommand],
  [SettleTokenWithdrawal, SettleTokenWithdrawalCommand],
  [HandleTransactionEnd, HandleTransactionEndCommand],
  [PayOutOrder, PayOutOrderCommand],
  [ResolvePixKey, ResolvePixKeyQuery],
) {}
