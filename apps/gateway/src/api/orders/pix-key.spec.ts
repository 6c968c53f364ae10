import type { PersonalData } from '@ponte/event-sourcing';
import { PixKeys } from './pix-key';

const subjects: string[] = [];
const keys = new PixKeys({
  fingerprint: (kind: string, text: string) => `${kind}:${text}`,
  seal: async (subject: string, text: string) => {
    subjects.push(subject);
    return `sealed:v1:${subject}:${text}`;
  },
} as unknown as PersonalData);
beforeEach(() => subjects.splice(0));

describe('A Pix key of a request', () => {
  it('is sealed under its own subject, which is the same each time', async () => {
    const [first, again, other] = [
      await keys.seal('52998224725', false),
      await keys.seal('52998224725', false),
      await keys.seal('11144477735', false),
    ];
    expect(again).toBe(first);
    expect([subjects[0] === subjects[1], subjects[0] === subjects[2]]).toEqual([true, false]);
    expect(other).toContain('11144477735');
  });

  it('is sealed under a shared subject by a dry run, which creates no encryption key', async () => {
    await keys.seal('52998224725', true);
    await keys.seal('11144477735', true);
    expect(subjects).toEqual(['ledger-transit', 'ledger-transit']);
  });

  it('is invalid when it is not one of the five kinds, also in a dry run', async () => {
    for (const isDryRun of [false, true]) expect(await keys.seal('not a key', isDryRun)).toBe('invalid');
    expect(subjects).toEqual([]);
  });
});
