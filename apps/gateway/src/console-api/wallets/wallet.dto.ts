import { RequiredObjects } from '../../validation/members';
import { OperatorWalletDto } from '../staff.dto';

export class ListedWalletsDto {
  @RequiredObjects(() => OperatorWalletDto, 'External wallets that the account may use')
  wallets!: OperatorWalletDto[];
}
