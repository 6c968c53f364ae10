import 'reflect-metadata';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { configurationDocument, SETTINGS } from './configuration';

describe('docs/configuration.md', () => {
  it('matches the settings in the code (npm run docs writes it)', () => {
    expect(readFileSync(resolve(__dirname, '../../../docs/configuration.md'), 'utf8')).toBe(configurationDocument());
  });

  it('gives each variable one meaning', () => {
    const all = Object.values(SETTINGS).flat();
    for (const { name, meaning } of all)
      expect(all.filter((one) => one.name === name).map((one) => one.meaning)).toEqual(
        all.filter((one) => one.name === name).map(() => meaning),
      );
    expect(all.every(({ name, meaning }) => /^[A-Z][A-Z0-9_<>]*$/.test(name) && meaning !== '')).toBe(true);
  });
});
