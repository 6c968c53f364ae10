import type { IQueryHandler } from '@nestjs/cqrs';
import { Query, QueryHandler } from '@nestjs/cqrs';
import type { MintRecord } from '@ponte/contracts';
import { Mints } from '../commands/mints';
import { mintRecord } from '../domain/mint/mint';

export class GetMintQuery extends Query<MintRecord | null> {
  constructor(readonly mintId: string) { super(); }
}

/** Read from the stream, which is short: nobody lists mints. */
@QueryHandler(GetMintQuery)
export class GetMintHandler implements IQueryHandler<GetMintQuery> {
  constructor(private readonly mints: Mints) {}

  async execute({ mintId }: GetMintQuery): Promise<MintRecord | null> {
    return mintRecord(await this.mints.load(mintId));
  }
}
