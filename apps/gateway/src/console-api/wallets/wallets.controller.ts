import { Get, Post, Req } from '@nestjs/common';
import { GetAccount, GetWhitelistedWallets } from '@ponte/contracts';
import type { AccountRequest } from '../../edge/request-context.service';
import { Services } from '../../edge/request-context.service';
import { notFound } from '../../errors/api-error';
import { described } from '../../openapi/operation-spec';
import { Resource } from '../../openapi/operation';
import { StaffOperation } from '../../staff/operation';
import { pathAccount } from '../../api/path';
import { OPERATOR_WALLET_EXAMPLE, OperatorWalletEnvelopeDto, OperatorWhitelistDto } from '../staff.dto';
import { whitelist } from '../whitelisting';
import { ListedWalletsDto } from './wallet.dto';

/** The external wallets that an account may use. */
@Resource('staff/v1/accounts/:id/whitelisted-wallets', 'wallets')
export class WhitelistedWalletsController {
  constructor(private readonly services: Services) {}

  @StaffOperation('staff-list-whitelisted-wallets', {
    summary: 'List the external wallets that an account may use',
    answer: described(ListedWalletsDto),
    errors: ['account-not-found'],
  })
  @Get()
  async list(@Req() { call, params }: AccountRequest): Promise<ListedWalletsDto> {
    const accountId = pathAccount(params);
    if (!(await this.services.request(GetAccount, { accountId }, call))) throw notFound('account-not-found');
    const { wallets } = await this.services.request(GetWhitelistedWallets, { accountId }, call);
    return { wallets: wallets.map(({ address, fx }) => ({ address, fx })) };
  }

  @StaffOperation('staff-whitelist-account-wallet', {
    summary: 'Allow an account to use an external wallet',
    body: described(OperatorWhitelistDto, OPERATOR_WALLET_EXAMPLE),
    answer: described(OperatorWalletEnvelopeDto),
    errors: [
      'account-not-found',
      'invalid-address',
      'bad-address-checksum',
      'external-wallet-already-registered',
      'address-under-review',
      'address-refused',
    ],
  })
  @Post()
  async add(@Req() { call, params, body }: AccountRequest): Promise<OperatorWalletEnvelopeDto> {
    return { wallet: await whitelist(this.services, pathAccount(params), body as OperatorWhitelistDto, call) };
  }
}
