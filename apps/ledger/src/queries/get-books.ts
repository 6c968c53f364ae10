import { Inject } from '@nestjs/common';
import { Query, QueryHandler } from '@nestjs/cqrs';
import type { IQueryHandler } from '@nestjs/cqrs';
import type { AmountOf, GetBooks } from '@ponte/contracts';
import type { ReplyOf } from '@ponte/event-sourcing';
import type { AssetId } from '@ponte/kernel';
import { Money } from '@ponte/kernel';
import { ACCOUNT_BOOKS } from '../ports/account-books';
import type { AccountBooks } from '../ports/account-books';

/** The books as they stood a moment ago. */
export class GetBooksQuery extends Query<ReplyOf<typeof GetBooks>> {
  constructor(readonly customers: boolean) { super(); }
}

@QueryHandler(GetBooksQuery)
export class GetBooksHandler implements IQueryHandler<GetBooksQuery> {
  constructor(@Inject(ACCOUNT_BOOKS) private readonly books: AccountBooks) {}

  async execute({ customers: wanted }: GetBooksQuery): Promise<ReplyOf<typeof GetBooks>> {
    const { house, customers, customersTotal } = await this.books.books();
    return { lines: wanted ? [...house, ...customers] : house, customers: customersTotal, sums: sumsOf([...house, ...customersTotal]) };
  }
}

function sumsOf(amounts: readonly AmountOf[]): AmountOf[] {
  const sums = new Map<AssetId, Money>();
  for (const { asset, amount } of amounts) sums.set(asset, (sums.get(asset) ?? Money.zero(asset)).plus(Money.stored(asset, amount)));
  return [...sums].map(([asset, sum]) => ({ asset, amount: sum.toString() }));
}
