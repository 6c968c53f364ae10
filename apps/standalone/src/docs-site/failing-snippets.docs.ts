import { temporaryFolder } from '@ponte/testing';
import { cpfWith } from '../../../cli/src/trigger/kyc-scenarios';
import type { InProcessCluster } from '../e2e/testing/in-process';
import { startInProcess } from '../e2e/testing/in-process';
import { EXPECTED } from './testing/expected-output';
import type { RunSnippet } from './testing/snippets';
import { LANGUAGES, snippetRunner } from './testing/snippets';

const folder = temporaryFolder();
let cluster: InProcessCluster;
let run: RunSnippet;
beforeAll(async () => {
  cluster = await startInProcess({});
  run = await snippetRunner(cluster, folder.path);
});
afterAll(async () => {
  await cluster.close();
  folder.remove();
});

describe('a snippet whose request is refused', () => {
  const names = [...EXPECTED.map(([name]) => name), 'onboarding', 'webhook-endpoint'];
  const wrong = {
    PONTE_API_KEY: `sk_test_${'0'.repeat(56)}`,
    PONTE_CPF: cpfWith('900'),
    PONTE_RECEIVER_URL: 'http://127.0.0.1:9/',
  };
  it.each(names.flatMap((name) => LANGUAGES.map((language) => ({ name, language }))))(
    'fails with the code of the error: $name.$language',
    async ({ name, language }) => {
      await expect(run(name, language, wrong)).rejects.toThrow('unknown-api-key');
    },
  );
});
