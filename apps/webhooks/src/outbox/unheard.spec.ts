import { Unheard } from './unheard';

const at = (head: string | undefined) => new Unheard({ head: async () => head, comparePositions: (a, b) => Number(a) - Number(b) });
const heard = async (unheard: Unheard, ...positions: string[]) => {
  const is = await unheard.in(positions);
  return positions.filter(is);
};

describe('events of which nobody can have been told', () => {
  it('lie behind the end of the log as the reading began, and come the first time', async () => {
    const unheard = at('20');
    expect(await heard(unheard, '10', '30')).toEqual([]);
    unheard.begins();
    expect(await heard(unheard, '10', '20', '30', '40', '40')).toEqual(['30', '40', '40']);
    expect(await heard(unheard, '10', '20', '30', '40')).toEqual([]);
    expect(await heard(unheard, '40', '50')).toEqual(['50']);
    unheard.begins();
    expect(await heard(unheard, '15')).toEqual([]);
    expect(await heard(unheard, '20', '21')).toEqual(['21']);
  });

  it('are none where the end cannot be learnt', async () => {
    const unheard = new Unheard({ head: () => Promise.reject(new Error('away')), comparePositions: () => 1 });
    unheard.begins();
    expect(await heard(unheard, '10')).toEqual([]);
    expect(await heard(unheard, '20')).toEqual([]);
  });

  it('are all of a log that was empty', async () => {
    const unheard = at(undefined);
    unheard.begins();
    expect(await heard(unheard, '10', '20')).toEqual(['10', '20']);
    expect(await heard(unheard, '20', '30')).toEqual(['30']);
  });
});
