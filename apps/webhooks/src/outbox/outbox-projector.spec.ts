import type { Publication } from '../publication/publication.domain';
import { Publishing } from './outbox-projector';

const publication = (eventId: string): Publication =>
  ({ audience: 'a', earlier: [], source: {}, envelope: { eventId } }) as unknown as Publication;
const turn = (): Promise<void> =>
  new Promise((resolve) => {
    setImmediate(resolve);
  });

describe('publishing while the projector reads on', () => {
  let rounds: { readonly ids: string[]; done(): void; fail(): void }[];
  let publishing: Publishing;
  const publish = (...ids: string[]) => publishing.publish(ids.map(publication));
  beforeEach(() => {
    rounds = [];
    const write = (publications: readonly Publication[]): Promise<void> =>
      new Promise((resolve, reject) => {
        rounds.push({
          ids: publications.map(({ envelope }) => envelope.eventId),
          done: resolve,
          fail: () => reject(new Error('no')),
        });
      });
    publishing = new Publishing({ publish: write }, { persistently: (work) => work() });
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

  it('is full when 2,048 publications wait', async () => {
    void publish('1');
    await turn();
    void publish(...Array.from({ length: 2_047 }, String));
    expect(publishing.isFull).toBe(false);
    void publish('one more');
    expect(publishing.isFull).toBe(true);
  });
});
