import type { WalletBalances } from '@ponte/contracts';
import { asset, decimal, instant } from '../../validation/field-types';
import { ListOf } from '../../validation/envelopes';
import { Required } from '../../validation/fields';
import { SAMPLE } from '../samples';

export class WalletBalanceDto {
  @Required(asset, 'An asset that the wallet can hold', 'eth-base/brlv')
  asset!: string;

  @Required(
    decimal,
    'What the wallet holds at the latest block of its chain, with the decimal places of the asset. Tokens of open ' +
      'orders, transfers and withdrawals count until they leave the wallet; arriving tokens count before they are credited',
    '100.000000000000000000',
  )
  amount!: string;
}

export class WalletBalancesDto extends ListOf('balances', () => WalletBalanceDto, 'One for each asset of the wallet') {
  @Required(instant, 'When the chain was read', SAMPLE.time)
  'as-of'!: string;
}

export const walletBalancesDto = ({ balances, asOf }: WalletBalances): WalletBalancesDto => ({
  balances: balances.map(({ asset: held, amount }) => ({ asset: held, amount })),
  'as-of': asOf,
});
