import { Controller } from '@nestjs/common';
import {
  GetAnyDeposit,
  GetDeposit,
  GetFundingCode,
  GetUncreditedTokens,
  ListAllDeposits,
  ListDueReturns,
  ListDeposits,
} from '@ponte/contracts';
import { forwardRequests } from '@ponte/nest';
import { GetDepositQuery, GetUncreditedTokensQuery, ListDepositsQuery } from './deposits.queries';
import { ListDueReturnsQuery } from '../returns/list-due-returns.query';
import { GetFundingCodeQuery } from './get-funding-code.query';

/** Deposits, and the code that funds an account. */
@Controller()
export class DepositMessages extends forwardRequests(
  [ListDeposits, ListDepositsQuery],
  [ListAllDeposits, ListDepositsQuery],
  [GetDeposit, GetDepositQuery],
  [GetAnyDeposit, GetDepositQuery],
  [GetUncreditedTokens, GetUncreditedTokensQuery],
  [GetFundingCode, GetFundingCodeQuery],
  [ListDueReturns, ListDueReturnsQuery],
) {}
