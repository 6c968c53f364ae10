import { UndeliveredWatermark } from './undelivered-watermark';

const at = (head: string | undefined) =>
  new UndeliveredWatermark({ head: async () => head, comparePositions: (a, b) => Number(a) - Number(b) });
const heard = async (undelivered: UndeliveredWatermark, ...positions: string[]) => {
  const is = await undelivered.in(positions);
  return positions.filter(is);
};

describe('events of which no one can have been told', () => {
  it('lie behind the end of the log as the reading began, and come the first time', async () => {
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

  it('are none where the end cannot be learnt', async () => {
    const undelivered = new UndeliveredWatermark({
      head: () => Promise.reject(new Error('away')),
      comparePositions: () => 1,
    });
    undelivered.begins();
    expect(await heard(undelivered, '10')).toEqual([]);
    expect(await heard(undelivered, '20')).toEqual([]);
  });

  it('are all of a log that was empty', async () => {
    const undelivered = at(undefined);
    undelivered.begins();
    expect(await heard(undelivered, '10', '20')).toEqual(['10', '20']);
    expect(await heard(undelivered, '20', '30')).toEqual(['30']);
  });
});
