import { renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createTimers } from '@ponte/concurrency';
import { builtInList, fileList } from '@ponte/screening-lists';
import { eventually, temporaryFolder } from '@ponte/testing';
import { pino } from 'pino';
import type { ScreeningSubject } from '../screening.port';
import { LocalScreening } from './local.screening.adapter';
import { SANDBOX_PEP, SANDBOX_SANCTIONS } from './sandbox-lists';
import { severalScreenings } from './several.screening.adapter';
import { SimulatedScreening } from '../../testing/simulated-screening';

const subjectNamed = (names: readonly string[], more: Partial<ScreeningSubject> = {}): ScreeningSubject => ({
  subjectRef: 's',
  names,
  dateOfBirth: null,
  country: 'BRA',
  ...more,
});

const individual = (inner: string, number = 'QDi.900'): string =>
  `<INDIVIDUAL><DATAID>1</DATAID><REFERENCE_NUMBER>${number}</REFERENCE_NUMBER>${inner}</INDIVIDUAL>`;

const listOf = (...individuals: readonly string[]): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<CONSOLIDATED_LIST xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance" xsi:noNamespaceSchemaLocation="sanctions.xsd" dateGenerated="2026-03-01T00:00:00Z"><INDIVIDUALS>${individuals.join('')}</INDIVIDUALS><ENTITIES><ENTITY><FIRST_NAME>SOME COMPANY</FIRST_NAME></ENTITY></ENTITIES></CONSOLIDATED_LIST>`;

describe('The local screening', () => {
  let folder: ReturnType<typeof temporaryFolder>;
  beforeEach(() => {
    folder = temporaryFolder();
  });
  afterEach(() => folder.remove());

  it('finds the invented people of the sandbox on their lists, and no one else', async () => {
    const screening = await LocalScreening.open({
      lists: [builtInList('un-consolidated', SANDBOX_SANCTIONS), builtInList('pep', SANDBOX_PEP)],
      threshold: 80,
    });
    expect(screening.lists()).toEqual([
      { name: 'un-consolidated', version: 'sandbox', entries: 5 },
      { name: 'pep', version: 'sandbox', entries: 3 },
    ]);
    const { hits } = await screening.screen(
      subjectNamed(['Ezequiel Brusk', 'Zeca Montalvane'], { dateOfBirth: '1964-07-05' }),
    );
    expect(hits).toEqual([
      {
        list: 'un-consolidated',
        entryId: 'SBi.001',
        score: 100,
        entryVersion: expect.any(String),
        matchedOn: expect.stringContaining('birth 1964-07-05: same-day'),
      },
    ]);
    await expect(screening.screen(subjectNamed(['Aurelia Vasquezello']))).resolves.toMatchObject({
      hits: [{ list: 'pep', entryId: 'PEP-0001' }],
    });
    await expect(screening.screen(subjectNamed(['Vladimir Scherbatnov']))).resolves.toMatchObject({
      hits: [{ entryId: 'SBi.003' }],
    });
    await expect(screening.screen(subjectNamed(['Joana Lima', 'Maria da Silva']))).resolves.toEqual({ hits: [] });
    await expect(screening.screen(subjectNamed([]))).resolves.toEqual({ hits: [] });
    await expect(screening.screen(subjectNamed(['Խալիդ Հուսայն']))).resolves.toMatchObject({
      hits: [{ list: 'name-letters' }],
    });
  });

  it('searches for one person at a time', async () => {
    const name = '<FIRST_NAME>Maria</FIRST_NAME><SECOND_NAME>da Silva Santos</SECOND_NAME>';
    const people = Array.from({ length: 300 }, (_, at) => individual(name, `P${at}`));
    const screening = await LocalScreening.open({ lists: [builtInList('pep', listOf(...people))], threshold: 80 });
    const found: number[] = [];
    await Promise.all(
      [['Maria da Silva Santos'], []].map(async (names) => {
        found.push((await screening.screen(subjectNamed(names))).hits.length);
      }),
    );
    expect(found).toEqual([300, 0]);
  });

  it('does not start without its lists, or with a threshold that admits everything or nothing', async () => {
    const lists = [builtInList('l', SANDBOX_PEP)];
    await expect(LocalScreening.open({ lists: [], threshold: 80 })).rejects.toThrow('at least one list');
    await expect(LocalScreening.open({ lists: [...lists, ...lists], threshold: 80 })).rejects.toThrow('one name');
    await expect(
      LocalScreening.open({ lists: [fileList('l', join(folder.path, 'missing.xml'))], threshold: 80 }),
    ).rejects.toThrow('ENOENT');
    for (const threshold of [0, 49, 101, NaN])
      await expect(LocalScreening.open({ lists, threshold })).rejects.toThrow('threshold');
  });

  it('has a version that changes with the content of a list and with the threshold, not with the file', async () => {
    const opened = async (name: string, xml: string, threshold = 80) => {
      const file = join(folder.path, name);
      writeFileSync(file, xml);
      return LocalScreening.open({ lists: [fileList('un', file)], threshold });
    };
    const entry = (second: string): string =>
      listOf(individual(`<FIRST_NAME>Rodolfo</FIRST_NAME><SECOND_NAME>${second}</SECOND_NAME>`));
    const one = await opened('a.xml', entry('Tarnowitz'));
    const versionOf = async (...args: Parameters<typeof opened>) => (await opened(...args)).listsVersion();
    expect(await versionOf('b.xml', entry('Tarnowitz'))).toBe(one.listsVersion());
    const others = [await versionOf('c.xml', entry('Tarnowitzer')), await versionOf('d.xml', entry('Tarnowitz'), 81)];
    expect(new Set([one.listsVersion(), ...others]).size).toBe(3);
    const found = async (local: LocalScreening) => (await local.screen(subjectNamed(['Rodolfo Tarnowitz']))).hits[0];
    const [same, changed] = await Promise.all([
      opened('e.xml', entry('Tarnowitz')),
      opened(
        'f.xml',
        listOf(
          individual(
            '<FIRST_NAME>Rodolfo</FIRST_NAME><SECOND_NAME>Tarnowitz</SECOND_NAME><NATIONALITY><VALUE>Brazil</VALUE></NATIONALITY>',
          ),
        ),
      ),
    ]);
    expect((await found(same))?.entryVersion).toBe((await found(one))?.entryVersion);
    expect((await found(changed))?.entryVersion).not.toBe((await found(one))?.entryVersion);
  });

  it('reloads a changed list, and keeps the previous list if the file is broken or shrunken, with an error without names', async () => {
    const file = join(folder.path, 'un.xml');
    const write = (xml: string | Buffer): void => {
      writeFileSync(`${file}.new`, xml);
      renameSync(`${file}.new`, file);
    };
    const people = (count: number, name = 'Rodolfo Tarnowitz'): string =>
      listOf(
        ...Array.from({ length: count }, (_, i) =>
          individual(`<FIRST_NAME>${name}</FIRST_NAME><SECOND_NAME>N${i}</SECOND_NAME>`, `QDi.${i}`),
        ),
      );
    write(people(4));
    const lines: string[] = [];
    const logger = pino(
      { level: 'debug' },
      {
        write: (line: string) => {
          lines.push(line);
        },
      },
    );
    const screening = await LocalScreening.open({ lists: [fileList('un', file)], threshold: 80 });
    const timers = createTimers(logger);
    screening.start(timers, 5, logger);
    timers.start();
    const logged = (words: string): Promise<void> =>
      eventually(() => {
        if (!lines.some((line) => line.includes(words))) throw new Error(`never logged: ${words}`);
      });
    const entries = (): number => screening.lists()[0]?.entries ?? 0;
    try {
      expect(entries()).toBe(4);
      await expect(screening.refresh()).resolves.toBe(false);
      write(people(5, 'Gustavo Pelegrin'));
      await eventually(() => {
        expect(entries()).toBe(5);
      });
      await expect(screening.screen(subjectNamed(['Gustavo Pelegrin']))).resolves.toMatchObject({
        hits: [{ list: 'un' }, {}, {}, {}, {}],
      });
      await expect(screening.screen(subjectNamed(['Rodolfo Tarnowitz']))).resolves.toEqual({ hits: [] });
      write(people(5, 'Secret Person').slice(0, -30));
      await logged('not well-formed');
      write(people(2, 'Secret Person'));
      await logged('lost more than half of its entries');
      write(Buffer.concat([Buffer.from(people(6)), Buffer.from([0xff, 0xfe])]));
      await logged('not valid UTF-8');
      rmSync(file);
      await logged('ENOENT');
      expect(entries()).toBe(5);
    } finally {
      await timers.stop();
    }
    expect(lines.join('')).not.toMatch(/Tarnowitz|Pelegrin|Secret/);
  });
});

describe('Several screenings together', () => {
  it('return the hits of all, and are unavailable if one of them is', async () => {
    const sanctions = new SimulatedScreening(
      await LocalScreening.open({ lists: [builtInList('un', SANDBOX_SANCTIONS)], threshold: 80 }),
    );
    const pep = await LocalScreening.open({ lists: [builtInList('pep', SANDBOX_PEP)], threshold: 80 });
    const both = severalScreenings(sanctions, pep);
    await expect(both.screen(subjectNamed(['Ri Won Paekchu', 'Margaux Delacourtier']))).resolves.toMatchObject({
      hits: [{ list: 'un' }, { list: 'pep' }],
    });
    sanctions.misbehaviour.failing = 1;
    await expect(both.screen(subjectNamed(['Joana Lima']))).rejects.toMatchObject({ name: 'Unavailable' });
    await expect(both.screen(subjectNamed(['Joana Lima']))).resolves.toEqual({ hits: [] });
  });
});
