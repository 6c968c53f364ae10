import { renameSync } from 'node:fs';
import { LocalAddressScreening } from './local.address-screening.adapter';

/** Looks addresses up in a list, and again after its file was replaced: `<file> <its replacement> <address>…`. */
async function main([before = '', after = '', ...addresses]: readonly string[]): Promise<void> {
  const screening = await LocalAddressScreening.open(before);
  const result = () => ({
    entries: screening.inUse()[0]?.entries,
    found: addresses.map((address) => screening.screen(address).length),
  });
  const results = [result()];
  renameSync(after, before);
  await screening.refresh();
  results.push(result());
  process.stdout.write(JSON.stringify(results));
}

void main(process.argv.slice(2));
