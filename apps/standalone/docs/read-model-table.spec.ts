import 'reflect-metadata';
import { readFileSync } from 'node:fs';
import { ALL_READ_MODELS } from '../src/cluster.read-models';
import { withReadModels } from './read-model-table';

describe('the table of read models in docs/operations', () => {
  const document = readFileSync('docs/operations/read-models-and-readers.md', 'utf8');

  it('matches the code (npm run docs writes it)', () => {
    expect(document).toBe(withReadModels(document));
  });

  it('has every read model with its tables', () => {
    for (const { name, tables } of ALL_READ_MODELS)
      expect(document).toContain(`| \`${name}\` | \`${tables.join('`, `')}\` |`);
  });
});
