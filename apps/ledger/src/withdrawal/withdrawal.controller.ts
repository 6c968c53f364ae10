import { Controller } from '@nestjs/common';
import {
  CreateWithdrawal,
  GetAnyWithdrawal,
  GetWithdrawal,
  ListAllWithdrawals,
  ListRefusedPayouts,
  ListUnsignedWithdrawals,
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
import { SettleTokenWithdrawalCommand } from '../token-withdrawal/settle-token-withdrawal.command';
import { ReviewWithdrawalCommand } from '../withdrawal-review/review-withdrawal.command';
import { CreateWithdrawalCommand } from './create-withdrawal.command';
import {
  GetWithdrawalQuery,
  ListUnsignedWithdrawalsQuery,
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
  [ListUnsignedWithdrawals, ListUnsignedWithdrawalsQuery],
  [ListRefusedPayouts, ListRefusedPayoutsQuery],
  [ReviewWithdrawal, ReviewWithdrawalCommand],
  [SettleTokenWithdrawal, SettleTokenWithdrawalCommand],
  [PayOutOrder, PayOutOrderCommand],
  [ResolvePixKey, ResolvePixKeyQuery],
) {}
