import { Inject } from '@nestjs/common';
import { Query, QueryHandler } from '@nestjs/cqrs';
import type { IQueryHandler } from '@nestjs/cqrs';
import { fundingCode } from '../domain/br-code/funding-code';
import { LEDGER_SETTINGS } from '../ports/ledger-settings.port';
import type { LedgerSettings } from '../ports/ledger-settings.port';

/** The static code that funds an account. */
export class GetFundingCodeQuery extends Query<{ brcode: string }> {
  constructor(readonly accountId: string) {
    super();
  }
}

@QueryHandler(GetFundingCodeQuery)
export class GetFundingCodeHandler implements IQueryHandler<GetFundingCodeQuery> {
  constructor(@Inject(LEDGER_SETTINGS) private readonly settings: LedgerSettings) {}

  async execute({ accountId }: GetFundingCodeQuery): Promise<{ brcode: string }> {
    return { brcode: fundingCode(this.settings, accountId) };
  }
}
