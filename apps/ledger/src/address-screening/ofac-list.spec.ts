import { mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SANCTIONED_SANDBOX_ADDRESS } from '@ponte/contracts';
import { LocalAddressScreening } from './local.address-screening.adapter';
import { BadAddressList, addressesOf } from './ofac-list';

const ETH = '0x098B716B8Aaf21512996dC57EB0615e2383E2f96';
const list = (entries: string) => `<?xml version="1.0" standalone="yes"?>
<sdnList xmlns="https://sanctionslistservice.example/xml">
  <publshInformation><Publish_Date>11/20/2026</Publish_Date><Record_Count>3</Record_Count></publshInformation>
  ${entries}
</sdnList>`;
const entry = (uid: string, ids: string) =>
  `<sdnEntry><uid>${uid}</uid><lastName>X &amp; CO</lastName><programList><program>CYBER2</program></programList><idList>${ids}</idList></sdnEntry>`;
const id = (type: string, number: string) =>
  `<id><uid>9</uid><idType>${type}</idType><idNumber>${number}</idNumber></id>`;

describe("An address list in OFAC's format", () => {
  it('names each EVM address with its entries and programs, whatever the ticker and the case', () => {
    const found = addressesOf(
      list(
        entry('101', id('Digital Currency Address - ETH', ETH) + id('Passport', '0X12')) +
          entry(
            '102',
            id('Digital Currency Address - USDC', ETH.toLowerCase()) + id('Digital Currency Address - XBT', '1abc'),
          ) +
          entry('103', id('Website', ETH)),
      ),
    );
    expect([...found]).toEqual([
      [
        ETH.toLowerCase(),
        [
          { list: 'ofac-sdn', entryId: '101', programs: ['CYBER2'] },
          { list: 'ofac-sdn', entryId: '102', programs: ['CYBER2'] },
        ],
      ],
    ]);
  });

  it.each([
    ['text that is not XML', 'a,b,c'],
    ['a truncated file', list(entry('1', id('Digital Currency Address - ETH', ETH))).slice(0, 300)],
    ['a different document', '<list><entry/></list>'],
    ['a list without entries', list('')],
    ['a document with a document type', `<!DOCTYPE x [<!ENTITY a "b">]>${list(entry('1', ''))}`],
    [
      'a list with an entry without a uid',
      list(`<sdnEntry><idList>${id('Digital Currency Address - ETH', ETH)}</idList></sdnEntry>`),
    ],
  ])('is refused when it is %s', (_, text) => {
    expect(() => addressesOf(text)).toThrow(BadAddressList);
  });

  it('is read from a file at start, which fails without the file', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'ponte-ofac-'));
    const file = join(folder, 'sdn.xml');
    writeFileSync(file, list(entry('101', id('Digital Currency Address - ETH', ETH))));
    const screening = await LocalAddressScreening.open(file);
    expect(screening.screen(ETH)).toHaveLength(1);
    expect(screening.screen(SANCTIONED_SANDBOX_ADDRESS)).toEqual([]);
    await expect(LocalAddressScreening.open(join(folder, 'missing.xml'))).rejects.toThrow('ENOENT');
    rmSync(folder, { recursive: true });
  });

  it('is replaced when the file changes, unless the new list is broken or lost more than half of its addresses', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'ponte-ofac-'));
    const file = join(folder, 'sdn.xml');
    const address = (at: number) => `0x${String(at).padStart(40, 'a')}`;
    const write = (count: number) =>
      writeFileSync(
        file,
        list(
          entry(
            '1',
            Array.from({ length: count }, (_, at) => id('Digital Currency Address - ETH', address(at))).join(''),
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
    await expect(screening.refresh()).rejects.toThrow(BadAddressList);
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
