import { Get, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { GetPairs } from '@ponte/contracts';
import { Services } from '../../edge/request-context.service';
import { described } from '../../openapi/operation-spec';
import { Operation, Resource } from '../../openapi/operation';
import { pairDto, PAIRS_EXAMPLE, PairsDto } from './pair.dto';

@Resource('api/v1/pairs', 'quotes')
export class PairsController {
  constructor(private readonly services: Services) {}

  @Operation({
    id: 'list-pairs',
    summary: 'List the pairs that can be quoted and ordered',
    reach: 'own',
    answer: described(PairsDto, PAIRS_EXAMPLE),
    errors: ['pricing-unavailable'],
  })
  @Get()
  async list(@Req() { call }: FastifyRequest): Promise<PairsDto> {
    const { pairs } = await this.services.request(GetPairs, {}, call);
    return { pairs: pairs.map(pairDto) };
  }
}
