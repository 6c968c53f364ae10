import type { PersonalData, Sealed } from '@ponte/event-sourcing';
import { ERASED, isSealed, SealBroken, SubjectErased } from '@ponte/event-sourcing';
import { eventually } from '../polling';
import { freshId } from '../recorded';

interface PersonalDataUnderTest {
  readonly personalData: PersonalData;
  /** Simulates a restart of the process. */
  reopen(): Promise<PersonalData>;
  /** Another process with the same keys; absent if there is only one. It sees an erasure within `erasedWithinMs`. */
  readonly other?: PersonalData;
  readonly erasedWithinMs?: number;
  cleanUp(): Promise<void>;
}

/** The contract of the `PersonalData` port. */
export function describePersonalData(name: string, open: () => Promise<PersonalDataUnderTest>): void {
  describe(`${name} as PersonalData`, () => {
    let under: PersonalDataUnderTest;
    let data: PersonalData;
    beforeEach(async () => {
      under = await open();
      data = under.personalData;
    });
    afterEach(() => under.cleanUp());

    test.each(['52998224725', '', 'Conceição Müller \u{1F600}', 'x'.repeat(10_000), 'sealed:v1:a:b'])(
      'a sealed text can be opened: %.20s',
      async (text) => {
        const sealed = await data.seal(freshId(), text);
        expect(isSealed(sealed)).toBe(true);
        if (text.length > 5) expect(sealed).not.toContain(text);
        expect(await data.open(sealed)).toBe(text);
      },
    );

    test('sealing the same text twice gives different results', async () => {
      const subject = freshId();
      const sealed = await Promise.all(Array.from({ length: 50 }, () => data.seal(subject, '52998224725')));
      expect(new Set(sealed).size).toBe(50);
      for (const one of sealed) expect(await data.open(one)).toBe('52998224725');
    });

    test('concurrent seals for a new subject create one key', async () => {
      const subject = freshId();
      const sealed = await Promise.all(Array.from({ length: 32 }, (_, at) => data.seal(subject, `text ${at}`)));
      const again = await under.reopen();
      expect(await Promise.all(sealed.map((one) => again.open(one)))).toEqual(sealed.map((_, at) => `text ${at}`));
    });

    test('a subject may contain colons and dashes', async () => {
      const subject = `person:${freshId()}:a-b`;
      expect(await data.open(await data.seal(subject, 'text'))).toBe('text');
    });

    test('a sealed text that was changed anywhere cannot be opened', async () => {
      const [mine, other] = [freshId(), freshId()];
      const sealed = await data.seal(mine, '52998224725');
      await data.seal(other, 'x');
      const [head, body] = [sealed.slice(0, sealed.lastIndexOf(':') + 1), sealed.slice(sealed.lastIndexOf(':') + 1)];
      const bytes = Buffer.from(body, 'base64');
      const changed = [...bytes.keys()].map((at) => {
        const copy = Buffer.from(bytes);
        copy[at] = (copy[at] as number) ^ 1;
        return `${head}${copy.toString('base64')}`;
      });
      const broken = [
        ...changed,
        `${head}${bytes.subarray(0, -1).toString('base64')}`,
        head,
        `${head}!!!!`,
        `${sealed} `,
        sealed.replace(mine, other),
        sealed.replace(mine, freshId()),
        sealed.replace(mine, ''),
        'sealed:v1:',
        'sealed:v1:x',
        sealed.replace('v1', 'v2'),
        '52998224725',
      ] as Sealed[];
      for (const one of broken) await expect(data.open(one)).rejects.toThrow(SealBroken);
      expect(await data.open(sealed)).toBe('52998224725');
    });

    test('an erasure is final: sealed texts show as erased, and nothing new can be sealed', async () => {
      const [subject, other] = [freshId(), freshId()];
      const [sealed, kept] = [await data.seal(subject, '52998224725'), await data.seal(other, 'kept')];
      await data.erase(subject);
      await data.erase(subject);
      expect(await data.open(sealed)).toBe(ERASED);
      await expect(data.seal(subject, 'again')).rejects.toThrow(SubjectErased);
      const again = await under.reopen();
      expect(await again.open(sealed)).toBe(ERASED);
      await expect(again.seal(subject, 'again')).rejects.toThrow(SubjectErased);
      expect(await again.open(kept)).toBe('kept');
    });

    test('a subject can be erased before its first seal and during concurrent seals', async () => {
      const [never, racing] = [freshId(), freshId()];
      await data.erase(never);
      await expect(data.seal(never, 'text')).rejects.toThrow(SubjectErased);
      const sealing = Array.from({ length: 10 }, () => data.seal(racing, 'text'));
      await data.erase(racing);
      for (const outcome of await Promise.allSettled(sealing)) {
        if (outcome.status === 'fulfilled') expect(await data.open(outcome.value)).toBe(ERASED);
        else expect(outcome.reason).toBeInstanceOf(SubjectErased);
      }
      await expect(data.seal(racing, 'text')).rejects.toThrow(SubjectErased);
    });

    test('a fingerprint is the same for the same value, even after a restart, and differs by kind', async () => {
      const print = data.fingerprint('tax-id', '52998224725');
      expect(print).toMatch(/^[0-9a-f]{64}$/);
      expect(data.fingerprint('tax-id', '52998224725')).toBe(print);
      expect(data.fingerprint('passport', '52998224725')).not.toBe(print);
      expect(data.fingerprint('tax-id5', '2998224725')).not.toBe(data.fingerprint('tax-id', '52998224725'));
      expect((await under.reopen()).fingerprint('tax-id', '52998224725')).toBe(print);
    });

    test("two processes share a key per subject, open each other's texts, and see each other's erasures", async () => {
      const { other = data, erasedWithinMs = 0 } = under;
      const subject = freshId();
      const sealed = await Promise.all(
        Array.from({ length: 16 }, (_, at) => (at % 2 === 0 ? data : other).seal(subject, `text ${at}`)),
      );
      expect(await Promise.all(sealed.map((one, at) => (at % 2 === 0 ? other : data).open(one)))).toEqual(
        sealed.map((_, at) => `text ${at}`),
      );
      expect(other.fingerprint('tax-id', '52998224725')).toBe(data.fingerprint('tax-id', '52998224725'));
      await data.erase(subject);
      expect(await data.open(sealed[1] as Sealed)).toBe(ERASED);
      await eventually(async () => expect(await other.open(sealed[0] as Sealed)).toBe(ERASED), erasedWithinMs + 1_000);
      await expect(other.seal(subject, 'again')).rejects.toThrow(SubjectErased);
    });
  });
}
