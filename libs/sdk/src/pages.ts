import type { OperationId } from './generated/operation-table';
import type { Answer, Item, Page, Pages } from './operation-types';

/** Reads one page. The first page has no cursor unless the caller passed one. */
export type ReadPage<Id extends OperationId> = (
  cursor: string | null,
) => Promise<{ body: Answer<Id>; nextCursor: string | null }>;

/** A list that is read only as far as the caller needs. Each iteration starts again at the first page. */
export class CursorPages<Id extends OperationId> implements Pages<Id> {
  constructor(private readonly read: ReadPage<Id>) {}

  then<Fulfilled = Page<Id>, Rejected = never>(
    fulfilled?: ((page: Page<Id>) => Fulfilled | PromiseLike<Fulfilled>) | null,
    rejected?: ((reason: unknown) => Rejected | PromiseLike<Rejected>) | null,
  ): Promise<Fulfilled | Rejected> {
    return this.page(null).then(fulfilled, rejected);
  }

  async *pages(): AsyncGenerator<Page<Id>, void> {
    for (let page: Page<Id> | null = await this.page(null); page !== null; page = await page.next()) yield page;
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Item<Id>, void> {
    for await (const { items } of this.pages()) yield* items;
  }

  private async page(cursor: string | null): Promise<Page<Id>> {
    const { body, nextCursor } = await this.read(cursor);
    return {
      items: itemsOf<Id>(body),
      body,
      nextCursor,
      next: () => (nextCursor === null ? Promise.resolve(null) : this.page(nextCursor)),
    };
  }
}

/** The body of a list has exactly one field that is an array. */
const itemsOf = <Id extends OperationId>(body: Answer<Id>): readonly Item<Id>[] =>
  Object.values(body as object).find((value): value is Item<Id>[] => Array.isArray(value)) ?? [];
