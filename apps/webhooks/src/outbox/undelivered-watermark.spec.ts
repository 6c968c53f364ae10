import { UndeliveredWatermark } from './reader-progress';

const at = (head: string | undefined) =>
  new UndeliveredWatermark({ head: async () => head, comparePositions: (a, b) => Number(a) - Number(b) });
const heard = async (undelivered: UndeliveredWatermark, ...positions: string[]) => {
  const is = await undelivered.in(positions);
  return positions.filter(is);
};

describe('events that cannot have been delivered yet', () => {
  it('were appended after reading began and are read for the first time', async () => {
    const undelivered = at('20');
    expect(await heard(undelivered, '10', '30')).toEqual([]);
    undelivered.begins();
    expect(await heard(undelivered, '10', '20', '30', '40', '40')).toEqual(['30', '40', '40']);
    expect(await heard(undelivered, '10', '20', '30', '40')).toEqual([]);
    expect(await heard(undelivered, '40', '50')).toEqual(['50']);
    undelivered.begins();
    expect(await heard(undelivered, '15')).toEqual([]);
    expect(await heard(undelivered, '20', '21')).toEqual(['21']);
  });

  it('are unknown when the end of the log cannot be read', async () => {
    const undelivered = new UndeliveredWatermark({
      head: () => Promise.reject(new Error('away')),
      comparePositions: () => 1,
    });
    undelivered.begins();
    expect(await heard(undelivered, '10')).toEqual([]);
    expect(await heard(undelivered, '20')).toEqual([]);
  });

  it('are all events of a log that was empty', async () => {
    const undelivered = at(undefined);
    undelivered.begins();
    expect(await heard(undelivered, '10', '20')).toEqual(['10', '20']);
    expect(await heard(undelivered, '20', '30')).toEqual(['30']);
  });
});
