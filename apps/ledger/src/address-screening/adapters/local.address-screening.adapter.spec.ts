import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SANCTIONED_SANDBOX_ADDRESS } from '@ponte/contracts';
import { BadList } from '@ponte/screening-lists';
import { LocalAddressScreening } from './local.address-screening.adapter';
import { entryOf, idOf, listOf } from './ofac-list.testing';

const ETH = '0x098B716B8Aaf21512996dC57EB0615e2383E2f96';

describe("A file with an address list in OFAC's format", () => {
  it('is read from a file at start, which fails without the file', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'ponte-ofac-'));
    const file = join(folder, 'sdn.xml');
    writeFileSync(file, listOf(entryOf('101', idOf('Digital Currency Address - ETH', ETH))));
    const screening = await LocalAddressScreening.open(file);
    expect(screening.screen(ETH)).toHaveLength(1);
    expect(screening.screen(SANCTIONED_SANDBOX_ADDRESS)).toEqual([]);
    await expect(LocalAddressScreening.open(join(folder, 'missing.xml'))).rejects.toThrow('ENOENT');
    rmSync(folder, { recursive: true });
  });

  it('is refused without EVM addresses, at start and when it is replaced', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'ponte-ofac-'));
    const file = join(folder, 'sdn.xml');
    const withoutAddresses = listOf(entryOf('101', idOf('Passport', ETH)));
    writeFileSync(file, withoutAddresses);
    await expect(LocalAddressScreening.open(file)).rejects.toThrow(BadList);
    writeFileSync(file, listOf(entryOf('101', idOf('Digital Currency Address - ETH', ETH))));
    const screening = await LocalAddressScreening.open(file);
    writeFileSync(file, withoutAddresses);
    await expect(screening.refresh()).rejects.toThrow('no address of an EVM chain');
    expect(screening.screen(ETH)).toHaveLength(1);
    expect(screening.inUse()).toMatchObject([{ entries: 1, isRefused: true }]);
    rmSync(folder, { recursive: true });
  });

  it('is refused if OFAC published it on an earlier day than the list in force', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'ponte-ofac-'));
    const file = join(folder, 'sdn.xml');
    const write = (uid: string, published: string) =>
      writeFileSync(file, listOf(entryOf(uid, idOf('Digital Currency Address - ETH', ETH)), published));
    write('101', '01/02/2026');
    const screening = await LocalAddressScreening.open(file);
    write('102', '12/31/2025');
    await expect(screening.refresh()).rejects.toThrow('older than the one in use');
    expect(screening.screen(ETH)).toMatchObject([{ entryId: '101' }]);
    for (const [uid, published] of [
      ['103', '01/02/2026'],
      ['104', '01/03/2026'],
      ['105', '13/45/2025'],
    ] as const) {
      write(uid, published);
      expect(await screening.refresh()).toBe(true);
      expect(screening.screen(ETH)).toMatchObject([{ entryId: uid }]);
    }
    rmSync(folder, { recursive: true });
  });

  it('is replaced when the file changes, unless the new list is broken or lost more than half of its addresses', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'ponte-ofac-'));
    const file = join(folder, 'sdn.xml');
    const address = (at: number) => `0x${String(at).padStart(40, 'a')}`;
    const write = (count: number) =>
      writeFileSync(
        file,
        listOf(
          entryOf(
            '1',
            Array.from({ length: count }, (_, at) => idOf('Digital Currency Address - ETH', address(at))).join(''),
          ),
        ),
      );
    write(4);
    const screening = await LocalAddressScreening.open(file);
    expect(await screening.refresh()).toBe(false);
    write(5);
    expect(await screening.refresh()).toBe(true);
    expect(screening.screen(address(4))).toHaveLength(1);
    const inUse = screening.inUse();
    expect(inUse).toEqual([{ name: 'ofac-sdn', entries: 5, writtenAt: statSync(file).mtimeMs, isRefused: false }]);
    const refused = inUse.map((one) => ({ ...one, isRefused: true }));
    write(2);
    await expect(screening.refresh()).rejects.toThrow('may be truncated');
    expect(screening.inUse()).toEqual(refused);
    writeFileSync(file, 'broken');
    await expect(screening.refresh()).rejects.toThrow(BadList);
    expect(screening.screen(address(4))).toHaveLength(1);
    rmSync(file);
    await expect(screening.refresh()).rejects.toThrow('ENOENT');
    expect(screening.inUse()).toEqual(refused);
    write(6);
    expect(await screening.refresh()).toBe(true);
    expect(screening.inUse()).toMatchObject([{ entries: 6, isRefused: false }]);
    rmSync(folder, { recursive: true });
  });
});
