import type { PersonalData } from '@ponte/event-sourcing';
import { PixKeys } from './pix-key.service';

const subjects: string[] = [];
const keys = new PixKeys({
  seal: async (subject: string, text: string) => {
    subjects.push(subject);
    return `sealed:v1:${subject}:${text}`;
  },
} as unknown as PersonalData);
beforeEach(() => subjects.splice(0));

describe('A Pix key of a request', () => {
  it('is sealed under a shared subject, so that it leaves no encryption key of its own behind', async () => {
    expect(await keys.seal('52998224725', false)).toBe('sealed:v1:pix-key-transit:52998224725');
    expect(await keys.seal('Maria@Example.com', false)).toBe('sealed:v1:pix-key-transit:maria@example.com');
  });

  it('is sealed under another shared subject by a dry run', async () => {
    await keys.seal('52998224725', true);
    await keys.seal('11144477735', true);
    expect(subjects).toEqual(['ledger-transit', 'ledger-transit']);
  });

  it('is invalid when it is not one of the five kinds, also in a dry run', async () => {
    for (const isDryRun of [false, true]) expect(await keys.seal('not a key', isDryRun)).toBe('invalid');
    expect(subjects).toEqual([]);
  });
});
