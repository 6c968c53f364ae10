import { Get, Inject, Post, Req, Res } from '@nestjs/common';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { AccountRequestRecord, InTransit, RequestedAccount } from '@ponte/contracts';
import {
  CancelAccountRequest,
  CreateAccountRequest,
  CreateRelianceRequest,
  GetAccountRequest,
  ProvideInformation,
  sealRequest,
} from '@ponte/contracts';
import type { PersonalData, RequestDefinition, Sealed } from '@ponte/event-sourcing';
import { PERSONAL_DATA } from '@ponte/nest';
import type { AccountRequest } from '../../edge/request-context.service';
import { Services } from '../../edge/request-context.service';
import { found } from '../../errors/api-error';
import { Operation, Resource } from '../../openapi/operation';
import type { AccountRequestEnvelopeDto } from './account-request.dto';
import { accountRequestDto, information, kycRequest, relianceRequest } from './onboarding.mapper';
import { CANCELLING, INFORMING, READING_REQUEST, REQUESTING_KYC, REQUESTING_RELIANCE } from './onboarding.operations';
import { pathRequest } from '../path';
import type { InformationDto, KycRequestDto, RelianceRequestDto } from './request.dto';

const OK = 200;

/** Account requests. The caller's own account is the parent. Personal data is sealed before it leaves the gateway. */
@Resource('', 'onboarding')
export class OnboardingController {
  constructor(
    private readonly services: Services,
    @Inject(PERSONAL_DATA) private readonly personalData: PersonalData,
  ) {}

  @Operation({ ...REQUESTING_KYC, id: 'create-account-request' })
  @Post('api/v1/accounts/kyc/individual')
  async requestKyc(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<AccountRequestEnvelopeDto> {
    return this.create(CreateAccountRequest, kycRequest(request.body as KycRequestDto), request, reply);
  }

  @Operation({ ...REQUESTING_RELIANCE, id: 'create-reliance-request' })
  @Post('api/v1/accounts/reliance')
  async requestReliance(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<AccountRequestEnvelopeDto> {
    return this.create(CreateRelianceRequest, relianceRequest(request.body as RelianceRequestDto), request, reply);
  }

  /** Rule 1 of the specification gives this path, without `/api`. */
  @Operation({ ...REQUESTING_RELIANCE, id: 'create-reliance-request-short' })
  @Post('v1/accounts/reliance')
  async requestRelianceShort(
    @Req() request: FastifyRequest,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<AccountRequestEnvelopeDto> {
    return this.requestReliance(request, reply);
  }

  @Operation({ ...READING_REQUEST, id: 'get-account-request' })
  @Get('api/v1/accounts/kyc/individual/:id')
  async get(@Req() { call, params }: AccountRequest): Promise<AccountRequestEnvelopeDto> {
    const wanted = { parentId: call.accountId, requestId: pathRequest(params) };
    const request = await this.services.request(GetAccountRequest, wanted, call);
    return this.shown(found(request, 'account-request-not-found'));
  }

  @Operation({ ...INFORMING, id: 'provide-information' })
  @Post('api/v1/accounts/kyc/individual/:id/information')
  async inform(@Req() { call, params, body }: AccountRequest): Promise<AccountRequestEnvelopeDto> {
    const requestId = pathRequest(params);
    const sealed = await this.sealed(information(body as InformationDto));
    return this.shown(
      await this.services.request(ProvideInformation, { parentId: call.accountId, requestId, body: sealed }, call),
    );
  }

  @Operation({ ...CANCELLING, id: 'cancel-account-request' })
  @Post('api/v1/accounts/kyc/individual/:id/cancel')
  async cancel(@Req() { call, params }: AccountRequest): Promise<AccountRequestEnvelopeDto> {
    return this.shown(
      await this.services.request(
        CancelAccountRequest,
        { parentId: call.accountId, requestId: pathRequest(params) },
        call,
      ),
    );
  }

  private async create(
    definition: RequestDefinition<{ parentId: string; body: Sealed }, RequestedAccount>,
    clear: InTransit,
    { call }: FastifyRequest,
    reply: FastifyReply,
  ): Promise<AccountRequestEnvelopeDto> {
    const { created, request } = await this.services.request(
      definition,
      { parentId: call.accountId, body: await this.sealed(clear) },
      call,
    );
    if (!created) reply.code(OK);
    return this.shown(request);
  }

  private sealed(clear: InTransit): Promise<Sealed> {
    return sealRequest(this.personalData, clear);
  }

  private async shown(request: AccountRequestRecord): Promise<AccountRequestEnvelopeDto> {
    return { 'account-request': await accountRequestDto(request, this.personalData) };
  }
}
