import { renameSync } from 'node:fs';
import { fileList } from '@ponte/screening-lists';
import { LocalScreening } from './local.screening.adapter';

/** Screens names against a list, and again after its file was replaced: `<file> <its replacement> <name>…`. */
async function main([before = '', after = '', ...names]: readonly string[]): Promise<void> {
  const screening = await LocalScreening.open({ lists: [fileList('pep', before)], threshold: 95 });
  const results = [await resultOf(screening, names)];
  renameSync(after, before);
  await screening.refresh();
  results.push(await resultOf(screening, names));
  process.stdout.write(JSON.stringify(results));
}

async function resultOf(screening: LocalScreening, names: readonly string[]) {
  const hits = await Promise.all(
    names.map((name) =>
      screening.screen({ subjectRef: 's', names: [name], dateOfBirth: '1971-02-03', country: 'BRA' }),
    ),
  );
  return { entries: screening.lists()[0]?.entries, found: hits.map((one) => one.hits.length > 0) };
}

void main(process.argv.slice(2));
