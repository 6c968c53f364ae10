import { largeFoldersIn } from './folders.cjs';

const filesOf = (folder: string, count: number, end: string) =>
  Array.from({ length: count }, (_, index) => `${folder}/file-${index}.${end}`);

describe('the tidy check of folders', () => {
  it('accepts 25 files in a folder and any number in its subfolders', () => {
    const files = [...filesOf('libs/kernel/src', 25, 'ts'), ...filesOf('libs/kernel/src/money', 25, 'ts')];
    expect(largeFoldersIn(files)).toEqual([]);
  });

  it.each([
    ['libs/kernel/src', 'ts'],
    ['docs/site', 'md'],
    ['deploy/ci', 'cjs'],
  ])('finds 26 files in %s, whatever they are', (folder, end) => {
    expect(largeFoldersIn([...filesOf('docs', 25, 'md'), ...filesOf(folder, 26, end)])).toEqual([
      expect.objectContaining({ file: folder, rule: 'folder-size' }),
    ]);
  });
});
