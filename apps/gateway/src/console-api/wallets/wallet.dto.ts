import { ListOf } from '../../validation/envelopes';

import { OperatorWalletDto } from '../staff.dto';

export class ListedWalletsDto extends ListOf(
  'wallets',
  () => OperatorWalletDto,
  'External wallets that the account may use',
) {}
