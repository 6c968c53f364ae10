import { pause } from './retry';
import { each } from './each';

describe('a loop over items', () => {
  const items = Array.from({ length: 50 }, (_, index) => index);

  it('has at most 16 items in progress and processes every item once', async () => {
    const finished: number[] = [];
    let inProgress = 0;
    let most = 0;
    await each(items, async (item) => {
      inProgress += 1;
      most = Math.max(most, inProgress);
      await pause(1);
      inProgress -= 1;
      finished.push(item);
    });
    expect(most).toBe(16);
    expect(finished.sort((one, other) => one - other)).toEqual(items);
  });

  it('throws the first failure after all items were processed', async () => {
    const finished: number[] = [];
    const work = async (item: number) => {
      if (item === 3 || item === 7) throw new Error(`failed ${item}`);
      finished.push(item);
    };
    await expect(each(items, work)).rejects.toThrow('failed 3');
    expect(finished).toHaveLength(48);
  });

  it('reports each failure with its item and throws nothing, even if the work throws before its first wait', async () => {
    const failed: number[] = [];
    const work = (item: number): Promise<void> => {
      if (item % 10 === 0) throw new Error('synchronous');
      return Promise.resolve();
    };
    await each(items, work, (_, item) => failed.push(item));
    expect(failed).toEqual([0, 10, 20, 30, 40]);
  });
});
