import { Post, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { ProposeSuspenseSending } from '@ponte/contracts';
import { PathId } from '../../api/path';
import { Services } from '../../edge/request-context.service';
import { Resource } from '../../openapi/operation';
import { described } from '../../openapi/operation-spec';
import { signedIn } from '../../staff/call';
import { StaffOperation } from '../../staff/operation';
import { FAILED_RETURN_EXAMPLE, FailedReturnEnvelopeDto } from './failed-return.dto';
import { failedReturnDto } from './failed-return.mapper';
import { SENDING_REQUEST_EXAMPLE, SendingRequestDto } from './sending.dto';

/** Tokens in suspense. One staff member says where they go; another confirms or rejects it, as for any settlement. */
@Resource('staff/v1/failed-returns', 'deposits')
export class SendingController {
  constructor(private readonly services: Services) {}

  @StaffOperation('staff-propose-sending', {
    summary: 'Propose the address to which tokens of a closed account are sent',
    body: described(SendingRequestDto, SENDING_REQUEST_EXAMPLE),
    answer: described(FailedReturnEnvelopeDto, { 'failed-return': FAILED_RETURN_EXAMPLE }),
    errors: [
      'failed-return-not-found',
      'settlement-pending',
      'payment-already-settled',
      'method-asset-mismatch',
      'address-refused',
      'invalid-address',
      'bad-address-checksum',
      'same-source-and-target',
      'asset-not-supported',
      'amount-above-maximum',
    ],
  })
  @Post(':id/sending')
  async propose(
    @PathId('failed-return-not-found') depositId: string,
    @Req() { call, body }: FastifyRequest,
  ): Promise<FailedReturnEnvelopeDto> {
    const { 'destination-address': destination, reference } = body as SendingRequestDto;
    const { staffId } = signedIn(call).actor;
    const proposal = { depositId, destination, reference, staffId };
    const failed = await this.services.request(ProposeSuspenseSending, proposal, call);
    return { 'failed-return': await failedReturnDto(failed, null) };
  }
}
