import type { Sealed } from '@ponte/event-sourcing';
import { SealBroken } from '@ponte/event-sourcing';
import { ShownPersonalData } from './shown-personal-data.service';

const SEALED: Sealed = 'sealed:v1:p:AAAA';

describe('personal data that cannot be decrypted', () => {
  it('is reported with its resource, in one line for a list of them', async () => {
    const now = jest.spyOn(performance, 'now').mockReturnValue(1);
    const lines: unknown[][] = [];
    const open = async () => {
      throw new SealBroken();
    };
    const shown = new ShownPersonalData({ open }, { error: (...line: unknown[]) => void lines.push(line) });
    for (const depositId of ['d1', 'd1', 'd2'])
      expect(await shown.open(SEALED, { accountId: 'a', depositId })).toBe('[unavailable]');
    expect(lines).toEqual([[{ accountId: 'a', depositId: 'd1' }, 'personal data cannot be decrypted']]);
    now.mockReturnValue(20_001);
    await shown.open(SEALED, { accountId: 'a', depositId: 'd3' });
    now.mockRestore();
    expect(lines[1]?.[0]).toMatchObject({ depositId: 'd3', times: 3 });
  });
});
