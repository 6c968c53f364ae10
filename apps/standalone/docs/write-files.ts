import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

/** Writes generated texts, by the names of their files, to a folder of the repository, and prints their paths. */
export async function writeFiles(
  folder: string,
  generate: () => Promise<Readonly<Record<string, string>>>,
): Promise<void> {
  try {
    mkdirSync(resolve(folder), { recursive: true });
    for (const [name, text] of Object.entries(await generate())) {
      const file = join(resolve(folder), name);
      writeFileSync(file, text);
      process.stdout.write(`${file}\n`);
    }
  } catch (error) {
    console.error(error);
    process.exitCode = 1;
  }
}
