import { Get, Patch, Post, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { ChangeWalletMetadata, CreateWallet, GetWalletBalances, ListWallets } from '@ponte/contracts';
import { derivedId, isUuid } from '@ponte/kernel';
import type { AccountRequest } from '../../edge/request-context.service';
import { Services } from '../../edge/request-context.service';
import { notFound } from '../../errors/api-error';
import type { ListRequest } from '../../pagination/list-request';
import { Listed } from '../../pagination/pagination.pipe';
import { described } from '../../openapi/operation-spec';
import { Operation, Resource } from '../../openapi/operation';
import {
  CHANGE_WALLET_EXAMPLE,
  ChangeWalletDto,
  CreateWalletDto,
  metadataForm,
  WALLET_EXAMPLE,
  WalletEnvelopeDto,
  WalletsDto,
  WalletsQuery,
} from './wallet.dto';
import { walletDto, walletFilters } from './wallet.mapper';
import { WalletBalancesDto, walletBalancesDto } from './wallet-balances.dto';
import { exampleOf } from '../../validation/fields';

const one = described(WalletEnvelopeDto, { wallet: WALLET_EXAMPLE });
const LISTING = {
  operation: 'list-wallets',
  query: WalletsQuery,
  answer: described(WalletsDto, { wallets: [WALLET_EXAMPLE] }),
  paged: true,
};
const CREATING = {
  operation: 'create-wallet',
  body: described(
    CreateWalletDto,
    exampleOf(CreateWalletDto, {
      metadata: { label: 'Savings of the shop' },
      'ui-enabled': true,
    }),
    metadataForm(false),
  ),
  answer: one,
  errors: ['account-not-active', 'limit-exceeded'] as const,
};
const CHANGING = {
  operation: 'change-wallet',
  body: described(ChangeWalletDto, CHANGE_WALLET_EXAMPLE, metadataForm(true)),
  answer: one,
  errors: ['wallet-not-found', 'account-not-active', 'limit-exceeded'] as const,
};
const V1 = 'v1/accounts/:accountId/wallets';

/** Wallets. v0 acts on the account of the API key, v1 on the account in the path. */
@Resource('api', 'wallets')
export class WalletsController {
  constructor(private readonly services: Services) {}

  @Operation({
    ...LISTING,
    id: 'list-wallets',
    summary: 'List the wallets of an account',
    reach: 'account',
    v0: { path: 'v0/wallets', summary: "List the wallets of the key's own account" },
  })
  @Get(V1)
  async list(@Listed() list: ListRequest<WalletsQuery>): Promise<WalletsDto> {
    const { accountId } = list.call;
    const wallets = await list.find(ListWallets, { accountId, filters: walletFilters(list.query) });
    return { wallets: wallets.map(walletDto) };
  }

  @Operation({
    ...CREATING,
    id: 'create-wallet',
    summary: 'Add a wallet to an account',
    reach: 'account',
    v0: { path: 'v0/wallets', summary: "Add a wallet to the key's own account" },
  })
  @Post(V1)
  async create(@Req() { call, body }: FastifyRequest): Promise<WalletEnvelopeDto> {
    const { 'wallet-name': name, chain, metadata, 'ui-enabled': uiEnabled } = body as CreateWalletDto;
    const wallet = await this.services.request(
      CreateWallet,
      {
        accountId: call.accountId,
        walletId: derivedId('wallet', call.accountId, call.commandId),
        name,
        chain,
        // `metadataForm` has removed the keys that are null.
        metadata: (metadata ?? {}) as Record<string, string>,
        uiEnabled: uiEnabled ?? false,
      },
      call,
    );
    return { wallet: walletDto(wallet) };
  }

  @Operation({
    ...CHANGING,
    id: 'change-wallet',
    summary: 'Change the metadata and the visibility of a wallet',
    reach: 'account',
    v0: {
      path: 'v0/wallets/:walletId/metadata',
      summary: "Change the metadata and the visibility of a wallet of the key's own account",
    },
  })
  @Patch(`${V1}/:walletId/metadata`)
  async change(@Req() { call, body, params }: AccountRequest): Promise<WalletEnvelopeDto> {
    const walletId = walletIdIn(params);
    const { metadata = null, 'ui-enabled': uiEnabled = null } = body as ChangeWalletDto;
    const change = { accountId: call.accountId, walletId, metadata, uiEnabled };
    return { wallet: walletDto(await this.services.request(ChangeWalletMetadata, change, call)) };
  }

  @Operation({
    id: 'get-wallet-balances',
    summary: 'Get the amounts that a wallet holds on its chain',
    reach: 'account',
    answer: described(WalletBalancesDto),
    errors: ['wallet-not-found', 'chain-unavailable'],
  })
  @Get(`${V1}/:walletId/balances`)
  async balances(@Req() { call, params }: AccountRequest): Promise<WalletBalancesDto> {
    const wanted = { accountId: call.accountId, walletId: walletIdIn(params) };
    return walletBalancesDto(await this.services.request(GetWalletBalances, wanted, call));
  }
}

function walletIdIn({ walletId }: AccountRequest['params']): string {
  if (!isUuid(walletId)) throw notFound('wallet-not-found');
  return walletId;
}
