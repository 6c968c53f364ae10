import type { Head, Hex } from '../../chain.port';
import { PolledHeads } from './polled-heads';

const headOf = (number: number): Head => ({ number, hash: `0x${number}` as Hex, time: number * 1_000 });

/** A node with a block that the test sets; undefined while it does not answer. Polls are made only when it asks. */
function chain() {
  let head: Head | undefined = headOf(1);
  let polls = 0;
  let due: () => void = () => undefined;
  const node = {
    existingBlock: async () => {
      polls += 1;
      if (head === undefined) throw new Error('no answer');
      return head;
    },
  };
  const next = (signal: AbortSignal) =>
    new Promise<void>((resolve) => {
      due = resolve;
      signal.addEventListener('abort', () => resolve());
    });
  const heads = new PolledHeads(
    { answer: async (ask) => ask(node) },
    { pollingMs: 0, pace: { moved: () => undefined, next } },
  );
  return {
    polls: () => polls,
    async poll(now: Head | undefined) {
      head = now;
      due();
      await new Promise(setImmediate);
    },
    async follow() {
      const end = new AbortController();
      const seen: number[] = [];
      const running = (async () => {
        for await (const { number } of heads.follow(end.signal)) seen.push(number);
      })();
      await new Promise(setImmediate);
      const stop = async () => {
        end.abort();
        await running;
      };
      return { seen, stop };
    },
  };
}

describe('Followers of a chain', () => {
  it('share its polls, and one that comes later begins with the newest head', async () => {
    const { poll, polls, follow } = chain();
    const [first, second] = [await follow(), await follow()];
    await poll(headOf(2));
    await poll(headOf(2));
    const third = await follow();
    await poll(undefined);
    await poll(headOf(3));
    expect([first.seen, second.seen, third.seen]).toEqual([
      [1, 2, 3],
      [1, 2, 3],
      [2, 3],
    ]);
    expect(polls()).toBe(5);
    for (const { stop } of [first, second, third]) await stop();
  });

  it('keep the polls going until the last one has left', async () => {
    const { poll, polls, follow } = chain();
    const [first, second] = [await follow(), await follow()];
    await first.stop();
    await poll(headOf(2));
    expect([first.seen, second.seen]).toEqual([[1], [1, 2]]);
    await second.stop();
    await poll(headOf(3));
    expect(polls()).toBe(2);
  });

  it('begin with a new poll after all had left', async () => {
    const { poll, follow } = chain();
    await (await follow()).stop();
    await poll(headOf(2));
    const { seen, stop } = await follow();
    expect(seen).toEqual([2]);
    await stop();
  });
});
