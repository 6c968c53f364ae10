import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryFolder } from '@ponte/testing';
import { fileList } from './list-source';
import { LocalScreening } from './local';

const listNaming = (name: string): string =>
  `<?xml version="1.0" encoding="UTF-8"?>\n<CONSOLIDATED_LIST dateGenerated="2026-03-01T00:00:00Z"><INDIVIDUALS><INDIVIDUAL><REFERENCE_NUMBER>QDi.900</REFERENCE_NUMBER><FIRST_NAME>${name}</FIRST_NAME><SECOND_NAME>Tarnowitz</SECOND_NAME></INDIVIDUAL></INDIVIDUALS></CONSOLIDATED_LIST>`;

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
});
