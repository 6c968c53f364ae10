import type { Publication } from '../publication/publication.domain';
import type { Published } from './publishing';
import { Publishing } from './publishing';

const publication = (eventId: string, audience: string): Publication =>
  ({ audience, earlier: [], source: {}, envelope: { eventId } }) as unknown as Publication;
const turn = (): Promise<void> =>
  new Promise((resolve) => {
    setImmediate(resolve);
  });
const many = (count: number) => Array.from({ length: count }, String);

/** A round of writes, which ends when the test says so. */
interface Round {
  readonly audience: string;
  readonly ids: string[];
  done(): void;
  fail(): void;
}

describe('publishing while the projector reads on', () => {
  let rounds: Round[];
  let publishing: Publishing;
  let seen: string[];
  /** Whether failed work is repeated; otherwise it fails as if the process stopped. */
  let repeats: boolean;

  const retryForever = async <T>(work: () => Promise<T>): Promise<T> => {
    for (;;) {
      try {
        return await work();
      } catch (error) {
        if (!repeats) throw error;
      }
    }
  };
  const add = (audience: string, ...ids: string[]): Published =>
    publishing.publish(ids.map((id) => publication(id, audience)));
  const publish = (...ids: string[]): Promise<unknown> => Promise.all(add('a', ...ids).written);
  /** Ends the newest round of an account. */
  const end = async (audience: string, how: 'done' | 'fail'): Promise<void> => {
    rounds.findLast((round) => round.audience === audience)?.[how]();
    await turn();
  };
  const idsOf = (audience: string) => rounds.filter((one) => one.audience === audience).map(({ ids }) => ids);

  beforeEach(() => {
    [rounds, seen, repeats] = [[], [], false];
    const write = (publications: readonly Publication[]): Promise<void> =>
      new Promise((resolve, reject) => {
        rounds.push({
          audience: publications[0]?.audience ?? '',
          ids: publications.map(({ envelope }) => envelope.eventId),
          done: resolve,
          fail: () => reject(new Error('no')),
        });
      });
    publishing = new Publishing(
      { publish: write },
      { retryForever },
      {
        fails: (accountId) => seen.push(`${accountId} fails`),
        works: (accountId, isBehind) => seen.push(`${accountId} works${isBehind ? ', behind' : ''}`),
      },
    );
  });

  it('writes one round at a time, and collects later publications in order for the next round', async () => {
    const first = publish('1', '2');
    await turn();
    const more = [publish('3'), publish('4', '5')];
    await turn();
    expect(rounds.map(({ ids }) => ids)).toEqual([['1', '2']]);
    rounds[0]?.done();
    await first;
    await turn();
    expect(rounds.map(({ ids }) => ids)).toEqual([
      ['1', '2'],
      ['3', '4', '5'],
    ]);
    rounds[1]?.done();
    await Promise.all(more);
  });

  it('rejects every round after a failed one', async () => {
    const first = publish('1');
    await turn();
    const second = publish('2');
    rounds[0]?.fail();
    await expect(first).rejects.toThrow('no');
    await expect(second).rejects.toThrow('no');
    await expect(publish('3')).rejects.toThrow('no');
    expect(rounds).toHaveLength(1);
  });

  it('is full when 2,048 publications wait, and has room when they are being written', async () => {
    void publish('1');
    await turn();
    void publish(...many(2_047));
    expect(publishing.isFull).toBe(false);
    void publish('one more');
    expect(publishing.isFull).toBe(true);
    const room = publishing.room();
    await end('a', 'done');
    await room;
    expect(publishing.isFull).toBe(false);
  });

  it('writes other outboxes while one fails, and is not full because of it', async () => {
    repeats = true;
    void publish('1');
    await turn();
    await end('a', 'fail');
    add('a', ...many(2_047));
    expect(publishing.isFull).toBe(false);
    add('b', '1');
    await turn();
    await end('b', 'done');
    add('b', '2');
    await turn();
    expect(idsOf('b')).toEqual([['1'], ['2']]);
    expect(idsOf('a')).toEqual([['1'], ['1']]);
    expect(seen).toEqual(['a fails']);
    await end('a', 'done');
    expect(idsOf('a')).toEqual([['1'], ['1'], many(2_047)]);
    expect(seen).toEqual(['a fails', 'a works']);
  });

  it('leaves out what is too much for outboxes that fail, until the log is read again', async () => {
    repeats = true;
    void publish('1');
    await turn();
    await end('a', 'fail');
    expect(add('a', ...many(2_047)).isComplete).toBe(true);
    expect(add('a', 'left out')).toEqual({ written: [], isComplete: false });
    await end('a', 'done');
    await end('a', 'done');
    expect(seen).toEqual(['a fails', 'a works, behind']);
    // Written now, it would precede what was left out.
    expect(add('a', 'later').isComplete).toBe(false);
    publishing.readerBegins();
    expect(add('a', 'left out', 'later').isComplete).toBe(true);
    await turn();
    expect(idsOf('a').at(-1)).toEqual(['left out', 'later']);
  });
});
