import { existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { ERASED, SubjectErased } from '@ponte/event-sourcing';
import { temporaryFolder } from '@ponte/testing';
import { openSqlitePersonalData } from './personal-data';
import { localMasterKey, secretFile } from '@ponte/personal-data';

let folder: ReturnType<typeof temporaryFolder>;
const path = (name: string): string => join(folder.path, name);
const open = () => openSqlitePersonalData({ directory: folder.path });
beforeEach(() => {
  folder = temporaryFolder();
});
afterEach(() => folder.remove());

test('the master key and the pepper are created once, readable only by the owner, and separate from the keys that they protect', async () => {
  const data = open();
  for (const name of ['master.key', 'pepper.key']) {
    expect(statSync(path(name)).mode & 0o777).toBe(0o600);
    expect(readFileSync(path(name), 'utf8')).toMatch(/^[0-9a-f]{64}\n$/);
  }
  const [master, pepper] = ['master.key', 'pepper.key'].map((name) => readFileSync(path(name), 'utf8').trim());
  expect(master).not.toBe(pepper);
  await data.seal('person', '52998224725');
  await data.close();
  const everything = ['keys.db', 'keys.db-wal']
    .filter((name) => existsSync(path(name)))
    .map((name) => readFileSync(path(name)));
  for (const bytes of everything) {
    expect(bytes.includes('52998224725')).toBe(false);
    expect(bytes.includes(Buffer.from(String(master), 'hex'))).toBe(false);
  }
});

test.each(['master.key', 'pepper.key'])(
  'a missing %s is an error once data depends on it, and is never recreated',
  async (name) => {
    const data = open();
    const sealed = await data.seal('person', '52998224725');
    await data.close();
    const kept = readFileSync(path(name));
    rmSync(path(name));
    expect(open).toThrow('restore the file');
    expect(existsSync(path(name))).toBe(false);
    writeFileSync(path(name), kept);
    const again = open();
    expect(await again.open(sealed)).toBe('52998224725');
    await again.close();
  },
);

test('a different or invalid master key is detected before anything is changed', async () => {
  await open().close();
  expect(() =>
    openSqlitePersonalData({ directory: folder.path, masterKey: localMasterKey(Buffer.alloc(32, 7)) }),
  ).toThrow('another master key');
  writeFileSync(path('master.key'), 'short\n');
  expect(open).toThrow('must contain 32 bytes');
  expect(() => localMasterKey(Buffer.alloc(16))).toThrow(RangeError);
});

test('an erased key is overwritten on the disk, not only marked', async () => {
  const data = open();
  const wrapped: Buffer[] = [];
  await data.close();
  const master = localMasterKey(secretFile(path('master.key'), true));
  const watched = openSqlitePersonalData({
    directory: folder.path,
    masterKey: {
      ...master,
      wrap: async (key, subject) => {
        const made = await master.wrap(key, subject);
        wrapped.push(made);
        return made;
      },
    },
  });
  const sealed = await watched.seal('person', '52998224725');
  const onDisk = (): boolean =>
    ['keys.db', 'keys.db-wal'].some(
      (name) => existsSync(path(name)) && readFileSync(path(name)).includes(wrapped[0] as Buffer),
    );
  expect(onDisk()).toBe(true);
  await watched.erase('person');
  expect(onDisk()).toBe(false);
  expect(await watched.open(sealed)).toBe(ERASED);
  await watched.close();
});

test('two processes that create the same secret file at once get the same secret', () => {
  const secrets = Array.from({ length: 10 }, () => secretFile(path('shared.key'), false).toString('hex'));
  expect(new Set(secrets).size).toBe(1);
});

describe('keys that are made in one turn', () => {
  const subjects = Array.from({ length: 100 }, (_, at) => `person-${at}`);
  const sealAll = (data: ReturnType<typeof open>) =>
    Promise.all(subjects.map((one) => data.seal(one, `text of ${one}`)));

  test('are all stored, one for each subject, and an erased one is never made again', async () => {
    const data = open();
    await data.erase('person-7');
    await expect(sealAll(data)).rejects.toThrow(SubjectErased);
    subjects.splice(7, 1);
    const [sealed, again] = [await sealAll(data), await sealAll(data)];
    await data.close();
    const reopened = open();
    for (const texts of [sealed, again])
      expect(await Promise.all(texts.map((text) => reopened.open(text)))).toEqual(
        subjects.map((one) => `text of ${one}`),
      );
    await reopened.close();
  });

  test('fail together if they cannot be stored, and nothing stays sealed under them', async () => {
    const data = open();
    const attempts = Promise.allSettled(['a', 'b'].map((one) => data.seal(one, 'x')));
    await data.close();
    expect((await attempts).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    const reopened = open();
    for (const one of ['a', 'b']) expect(await reopened.open(await reopened.seal(one, 'y'))).toBe('y');
    await reopened.close();
  });
});
