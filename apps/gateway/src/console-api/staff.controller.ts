import { Get, Inject, Post, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import {
  capabilityChangeViolations,
  ChangeCapabilities,
  CreateApiKey,
  isApiKeyId,
  ListAllAccounts,
  OpenAccount,
  RevokeApiKey,
} from '@ponte/contracts';
import type { PersonalData } from '@ponte/event-sourcing';
import { refuseAll } from '@ponte/kernel';
import { PERSONAL_DATA } from '@ponte/nest';
import type { AccountRequest } from '../edge/request-context.service';
import { Services } from '../edge/request-context.service';
import { notFound } from '../errors/api-error';
import type { ListRequest } from '../pagination/list-request';
import { Listed } from '../pagination/pagination.pipe';
import { PageQuery } from '../pagination/page-query';
import { Operation, Resource } from '../openapi/operation';
import type { KeyMaker } from '../authentication/key-maker.port';
import { KEY_MAKER } from '../gateway-tokens.port';
import type { ApiKeyEnvelopeDto, CreateApiKeyDto, RevokeApiKeyDto } from './api-key.dto';
import type {
  ChangeCapabilitiesDto,
  OpenAccountDto,
  OperatorWalletEnvelopeDto,
  OperatorWhitelistDto,
  StaffAccountEnvelopeDto,
  StaffAccountsDto,
} from './staff.dto';
import { staffAccountDto } from './staff.dto';
import { apiKeyDto, credentialOf, openAccountPayload, rateLimitsOf } from './staff.mapper';
import {
  CHANGING_CAPABILITIES,
  CREATING_KEY,
  LISTING_ACCOUNTS,
  OPENING_ACCOUNT,
  REVOKING_KEY,
  WHITELISTING_WALLET,
} from './staff.operations';
import { pathAccount } from '../api/path';
import { whitelist } from './whitelisting';

/** Operations for operators with the staff token. `npm run admin` uses these routes while the process runs. */
@Resource('staff', 'staff')
export class StaffController {
  constructor(
    private readonly services: Services,
    @Inject(PERSONAL_DATA) private readonly personalData: PersonalData,
    @Inject(KEY_MAKER) private readonly keys: KeyMaker,
  ) {}

  @Operation(OPENING_ACCOUNT)
  @Post('accounts')
  async openAccount(@Req() { call, body }: FastifyRequest): Promise<StaffAccountEnvelopeDto> {
    const payload = await openAccountPayload(body as OpenAccountDto, call.commandId, this.personalData);
    return { account: staffAccountDto(await this.services.request(OpenAccount, payload, call)) };
  }

  @Operation({ ...LISTING_ACCOUNTS, query: PageQuery })
  @Get('accounts')
  async listAccounts(@Listed() list: ListRequest): Promise<StaffAccountsDto> {
    return { accounts: (await list.find(ListAllAccounts, {})).map(staffAccountDto) };
  }

  @Operation(CHANGING_CAPABILITIES)
  @Post('accounts/:id/capabilities')
  async changeCapabilities(@Req() { call, body, params }: AccountRequest): Promise<StaffAccountEnvelopeDto> {
    const { grant = [], revoke = [] } = body as ChangeCapabilitiesDto;
    refuseAll(capabilityChangeViolations(grant, revoke));
    return {
      account: staffAccountDto(
        await this.services.request(ChangeCapabilities, { accountId: pathAccount(params), grant, revoke }, call),
      ),
    };
  }

  @Operation(WHITELISTING_WALLET)
  @Post('accounts/:id/whitelisted-wallets')
  async whitelistWallet(@Req() { call, body, params }: AccountRequest): Promise<OperatorWalletEnvelopeDto> {
    return { wallet: await whitelist(this.services, pathAccount(params), body as OperatorWhitelistDto, call) };
  }

  @Operation(CREATING_KEY)
  @Post('accounts/:id/api-keys')
  async createKey(@Req() { call, body, params }: AccountRequest): Promise<ApiKeyEnvelopeDto> {
    const input = body as CreateApiKeyDto;
    const accountId = pathAccount(params);
    const keyId = this.keys.keyId(call.commandId);
    const { credential, ipAllowlist, secret } = credentialOf(input, () =>
      this.keys.bearerSecret(keyId, call.commandId),
    );
    const key = await this.services.request(
      CreateApiKey,
      {
        keyId,
        accountId,
        credential,
        name: input.name,
        access: input.access ?? 'read-only',
        ipAllowlist,
        rateLimits: rateLimitsOf(input['rate-limits']),
      },
      call,
    );
    return { 'api-key': apiKeyDto(key, secret) };
  }

  @Operation(REVOKING_KEY)
  @Post('api-keys/:id/revoke')
  async revokeKey(@Req() { call, body, params }: AccountRequest): Promise<ApiKeyEnvelopeDto> {
    const keyId = params['id'] ?? '';
    if (!isApiKeyId(keyId)) throw notFound('api-key-not-found');
    return {
      'api-key': apiKeyDto(
        await this.services.request(RevokeApiKey, { keyId, reason: (body as RevokeApiKeyDto).reason }, call),
      ),
    };
  }
}
