import { Inject } from '@nestjs/common';
import { QueryHandler } from '@nestjs/cqrs';
import type { IQueryHandler } from '@nestjs/cqrs';
import type { GetFundingCode } from '@ponte/contracts';
import { RequestQuery } from '@ponte/nest';
import { fundingCode } from '../br-code/funding-code.domain';
import { LEDGER_SETTINGS } from '../ledger-settings.port';
import type { LedgerSettings } from '../ledger-settings.port';

/** The static Pix code that funds an account. */
export class GetFundingCodeQuery extends RequestQuery<typeof GetFundingCode> {}

@QueryHandler(GetFundingCodeQuery)
export class GetFundingCodeHandler implements IQueryHandler<GetFundingCodeQuery> {
  constructor(@Inject(LEDGER_SETTINGS) private readonly settings: LedgerSettings) {}

  async execute({ payload: { accountId } }: GetFundingCodeQuery): Promise<{ brcode: string }> {
    return { brcode: fundingCode(this.settings, accountId) };
  }
}
