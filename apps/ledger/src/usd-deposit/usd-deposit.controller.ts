import { Controller } from '@nestjs/common';
import { ConfirmUsdDeposit, ListUsdDeposits, RecordUsdDeposit, RejectUsdDeposit } from '@ponte/contracts';
import { forwardRequests } from '@ponte/nest';
import { ConfirmUsdDepositCommand, RecordUsdDepositCommand, RejectUsdDepositCommand } from './usd-deposits.commands';
import { ListUsdDepositsQuery } from './usd-deposits.query';

/** USD deposits, which staff record and confirm. */
@Controller()
export class UsdDepositMessages extends forwardRequests(
  [RecordUsdDeposit, RecordUsdDepositCommand],
  [ConfirmUsdDeposit, ConfirmUsdDepositCommand],
  [RejectUsdDeposit, RejectUsdDepositCommand],
  [ListUsdDeposits, ListUsdDepositsQuery],
) {}
