import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createTimers } from '@ponte/concurrency';
import type { ListSource } from '@ponte/screening-lists';
import { fileList } from '@ponte/screening-lists';
import { eventually, temporaryFolder } from '@ponte/testing';
import { pino } from 'pino';
import { LocalScreening } from './local.screening.adapter';

const entryNaming = (name: string): string =>
  `<INDIVIDUAL><REFERENCE_NUMBER>QDi.900</REFERENCE_NUMBER><FIRST_NAME>${name}</FIRST_NAME><SECOND_NAME>Tarnowitz</SECOND_NAME></INDIVIDUAL>`;

const listNaming = (...names: readonly string[]): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<CONSOLIDATED_LIST dateGenerated="2026-03-01T00:00:00Z">` +
  `<INDIVIDUALS>${names.map(entryNaming).join('')}</INDIVIDUALS></CONSOLIDATED_LIST>`;

const HUGE_NAME = 'a name of entry QDi.900 of the list has more than 2000 bytes';

/** A list in memory whose reads are counted. */
function countedList(name: string, text: string) {
  const list = { name, text, version: 1, reads: 0 };
  const source: ListSource = {
    name,
    state: async () => ({ version: String(list.version), writtenAt: null }),
    digest: async () => list.text,
    async *read() {
      list.reads += 1;
      yield Buffer.from(list.text);
    },
  };
  const write = (changed: string): void => {
    list.text = changed;
    list.version += 1;
  };
  return { list, source, write };
}

describe('A list that cannot be used', () => {
  let folder: ReturnType<typeof temporaryFolder>;
  beforeEach(() => {
    folder = temporaryFolder();
  });
  afterEach(() => folder.remove());

  it('keeps its previous entries, and does not hold back the other lists', async () => {
    const [un, pep] = [join(folder.path, 'un.xml'), join(folder.path, 'pep.xml')];
    writeFileSync(un, listNaming('Rodolfo'));
    writeFileSync(pep, listNaming('Gustavo'));
    const screening = await LocalScreening.open({ lists: [fileList('un', un), fileList('pep', pep)], threshold: 80 });
    const hitsOn = async (name: string) =>
      (await screening.screen({ subjectRef: 's', names: [name], dateOfBirth: null, country: 'BRA' })).hits.map(
        ({ list }) => list,
      );
    const refused = () => screening.inUse().map(({ isRefused }) => isRefused);
    const version = screening.listsVersion();
    expect(refused()).toEqual([false, false]);

    writeFileSync(un, 'garbage');
    writeFileSync(pep, listNaming('Leopoldina'));
    await expect(screening.refresh()).resolves.toBe(true);
    expect(refused()).toEqual([true, false]);
    expect(screening.listsVersion()).not.toBe(version);
    expect(await hitsOn('Rodolfo Tarnowitz')).toEqual(['un']);
    expect(await hitsOn('Leopoldina Tarnowitz')).toEqual(['pep']);

    await expect(screening.refresh()).resolves.toBe(false);
    expect(refused()).toEqual([true, false]);
    writeFileSync(un, listNaming('Hermenegildo'));
    await expect(screening.refresh()).resolves.toBe(true);
    expect(refused()).toEqual([false, false]);
    expect(await hitsOn('Hermenegildo Tarnowitz')).toEqual(['un']);
  });

  it.each([
    ['is broken', 'garbage', 'not well-formed'],
    ['lost more than half of its entries', listNaming('Ana'), 'more than half'],
  ])('is not read again until it changes if it %s, and stays refused meanwhile', async (_, text, reason) => {
    const { list, source, write } = countedList('un', listNaming('Rodolfo', 'Gustavo', 'Leopoldina'));
    const screening = await LocalScreening.open({ lists: [source], threshold: 80 });
    const lines: string[] = [];
    const timers = createTimers(pino({ enabled: false }));
    screening.start(timers, 5, pino({}, { write: (line: string) => void lines.push(line) }));
    write(text);
    timers.start();
    const timesRefused = (): number => lines.filter((line) => line.includes(reason)).length;
    try {
      await eventually(() => {
        expect(timesRefused()).toBeGreaterThan(2);
      });
    } finally {
      await timers.stop();
    }
    expect(list.reads).toBe(2);
    expect(screening.inUse()).toMatchObject([{ entries: 3, isRefused: true }]);

    write(listNaming('Rodolfo', 'Hermenegildo'));
    await expect(screening.refresh()).resolves.toBe(true);
    expect(list.reads).toBe(3);
    expect(screening.inUse()).toMatchObject([{ entries: 2, isRefused: false }]);
  });

  it('is read again if it could not be read', async () => {
    const { list, source, write } = countedList('un', listNaming('Rodolfo'));
    const read = jest.fn(source.read);
    const screening = await LocalScreening.open({ lists: [{ ...source, read }], threshold: 80 });
    read.mockImplementationOnce(() => {
      throw Object.assign(new Error('the disk failed'), { code: 'EIO' });
    });
    write(listNaming('Gustavo', 'Leopoldina'));
    await expect(screening.refresh()).resolves.toBe(false);
    expect(screening.inUse()).toMatchObject([{ entries: 1, isRefused: true }]);
    await expect(screening.refresh()).resolves.toBe(true);
    expect(screening.inUse()).toMatchObject([{ entries: 2, isRefused: false }]);
    expect(list.reads).toBe(2);
  });

  it.each([
    ['a huge name', listNaming('Ana', 'Bia', 'x'.repeat(2_001)), HUGE_NAME],
    ['a huge name in another script', listNaming('Ana', 'Bia', 'й'.repeat(1_001)), HUGE_NAME],
    [
      'a huge alias',
      listNaming('Ana', 'Bia').replace(
        '</INDIVIDUAL>',
        `<INDIVIDUAL_ALIAS><ALIAS_NAME>Caio; ${'x'.repeat(2_001)}</ALIAS_NAME></INDIVIDUAL_ALIAS></INDIVIDUAL>`,
      ),
      HUGE_NAME,
    ],
    [
      'a name without a letter or a digit',
      listNaming('Ana', 'Bia').replace(
        '<FIRST_NAME>Bia</FIRST_NAME><SECOND_NAME>Tarnowitz<',
        '<FIRST_NAME>-</FIRST_NAME><SECOND_NAME>…<',
      ),
      'no name of entry QDi.900 of the list has a letter or a digit',
    ],
    [
      'a huge number',
      listNaming('Ana', 'Bia').replace('QDi.900', '9'.repeat(201)),
      'the number of entry 1 of the list has more than 200 bytes',
    ],
  ])('has %s: the former list stays in force, and the message says what is wrong', async (_, text, message) => {
    const { source, write } = countedList('un', listNaming('Rodolfo', 'Gustavo'));
    const screening = await LocalScreening.open({ lists: [source], threshold: 80 });
    const version = screening.listsVersion();
    const lines: string[] = [];
    const timers = createTimers(pino({ enabled: false }));
    screening.start(timers, 5, pino({}, { write: (line: string) => void lines.push(line) }));
    write(text);
    timers.start();
    try {
      await eventually(() => {
        expect(lines.map((line) => (JSON.parse(line) as { reason?: string }).reason)).toContain(message);
      });
    } finally {
      await timers.stop();
    }
    expect(screening.inUse()).toMatchObject([{ entries: 2, isRefused: true }]);
    expect(screening.listsVersion()).toBe(version);
    const found = { subjectRef: 's', names: ['Rodolfo Tarnowitz'], dateOfBirth: null, country: 'BRA' };
    expect((await screening.screen(found)).hits).toMatchObject([{ list: 'un' }]);
  });

  it('takes more memory than the other lists leave, until these become smaller', async () => {
    const long = Array.from({ length: 200 }, (_, i) => `${i} ${'bcdfg'.repeat(10)}${i}`);
    const [un, pep] = [countedList('un', listNaming(...long)), countedList('pep', listNaming('Ana'))];
    const options = { lists: [un.source, pep.source], threshold: 80 };
    await expect(LocalScreening.open({ ...options, maxBytes: 300_000 })).rejects.toThrow(
      'the entries of the list un take more than 300000 bytes of memory, which is what the other lists leave of the limit',
    );
    const screening = await LocalScreening.open({ ...options, maxBytes: 850_000 });
    pep.write(listNaming(...long));
    await expect(screening.refresh()).resolves.toBe(false);
    await expect(screening.refresh()).resolves.toBe(false);
    expect(screening.inUse()).toMatchObject([{ isRefused: false }, { entries: 1, isRefused: true }]);
    expect(pep.list.reads).toBe(2);

    un.write(listNaming(...long.slice(0, 101)));
    await expect(screening.refresh()).resolves.toBe(true);
    expect(screening.inUse()).toMatchObject([{ entries: 101 }, { entries: 200, isRefused: false }]);
  });

  it('has more names than fit with the other lists, until these become shorter', async () => {
    const [un, pep] = [countedList('un', listNaming('Rodolfo', 'Gustavo')), countedList('pep', listNaming('Ana'))];
    const options = { lists: [un.source, pep.source], threshold: 80 };
    await expect(LocalScreening.open({ ...options, maxNames: 2 })).rejects.toThrow(
      'the list pep has more than 0 names, which is what the other lists leave of the limit',
    );
    const screening = await LocalScreening.open({ ...options, maxNames: 4 });
    pep.write(listNaming('Ana', 'Bia', 'Caio'));
    await expect(screening.refresh()).resolves.toBe(false);
    await expect(screening.refresh()).resolves.toBe(false);
    expect(screening.inUse()).toMatchObject([{ isRefused: false }, { entries: 1, isRefused: true }]);
    expect(pep.list.reads).toBe(3);

    un.write(listNaming('Rodolfo'));
    await expect(screening.refresh()).resolves.toBe(true);
    expect(screening.inUse()).toMatchObject([{ entries: 1 }, { entries: 3, isRefused: false }]);
  });
});
