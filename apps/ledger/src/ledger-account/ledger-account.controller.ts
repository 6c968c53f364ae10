import { Controller } from '@nestjs/common';
import {
  GetBalance,
  ListAccountHolds,
  ListOpenHolds,
  PlaceHold,
  PostExchange,
  PostTokenMovement,
  ReleaseHold,
} from '@ponte/contracts';
import { forwardRequests } from '@ponte/nest';
import { PostTokenMovementCommand } from '../token-movement/post-token-movement.command';
import { GetBalanceQuery } from './get-balance.query';
import { ListAccountHoldsQuery } from '../hold-source/list-account-holds.query';
import { ListOpenHoldsQuery } from './list-open-holds.query';
import { PlaceHoldCommand } from './place-hold.command';
import { PostExchangeCommand } from './post-exchange.command';
import { ReleaseHoldCommand } from './release-hold.command';

/** Balances, holds and postings of accounts. */
@Controller()
export class LedgerAccountMessages extends forwardRequests(
  [PlaceHold, PlaceHoldCommand],
  [ReleaseHold, ReleaseHoldCommand],
  [PostExchange, PostExchangeCommand],
  [PostTokenMovement, PostTokenMovementCommand],
  [GetBalance, GetBalanceQuery],
  [ListOpenHolds, ListOpenHoldsQuery],
  [ListAccountHolds, ListAccountHoldsQuery],
) {}
