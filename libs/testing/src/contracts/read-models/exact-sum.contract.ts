import { exactSum } from '@ponte/read-models';
import { sums } from '../catch-up.testing';
import type { ReadModelsUnderTest } from '../rebuild.contract';

/** The contract of sums that the database computes over numbers of any size. */
export function describeExactSum(name: string, make: () => Promise<ReadModelsUnderTest>): void {
  describe(`sums of a column on ${name}`, () => {
    let under: ReadModelsUnderTest;
    beforeEach(async () => {
      under = await make();
      await sums.part.prepare(under.readModels);
    });
    afterEach(() => under.cleanUp());

    const write = (values: readonly bigint[], prefix: string): Promise<void> =>
      sums
        .tableIn(under.readModels)
        .write(values.map((total, at) => ({ put: { fruit: `${prefix}${String(at).padStart(4, '0')}`, total } })));
    const summed = async (): Promise<bigint> => {
      const total = exactSum('total', under.readModels);
      const rows = await sums.tableIn(under.readModels).aggregate((all) => all.select(total.parts));
      return total.of(rows[0] ?? {});
    };

    it('are exact, whatever the signs and the sizes', async () => {
      expect(await summed()).toBe(0n);
      const values = [10n ** 44n + 1n, -(10n ** 36n) - 999_999_999n, 7n, -8n, 0n, 123_456_789_012_345_678_901n];
      await write(values, 'some');
      expect(await summed()).toBe(values.reduce((sum, value) => sum + value, 0n));
      await write(
        values.map((value) => -value),
        'opposite',
      );
      expect(await summed()).toBe(0n);
    });

    it('are exact over a thousand rows whose groups of digits are as large as they can be', async () => {
      await write(
        Array.from({ length: 1_000 }, () => 10n ** 45n - 1n),
        'large',
      );
      expect(await summed()).toBe(1_000n * (10n ** 45n - 1n));
    });

    it('are refused, and never wrong, if a value has more digits than the database can sum', async () => {
      await write([1n, -(10n ** 45n)], 'long');
      const refused = 'total must have at most 45 digits to be summed';
      const found = await summed().catch(({ message }: Error) => message);
      expect([1n - 10n ** 45n, refused]).toContain(found);
    });
  });
}
