import { cpfWith } from '../../../cli/src/trigger/kyc-scenarios';
import { EXPECTED } from './testing/expected-output';
import { LANGUAGES, run, useSnippets } from './testing/snippets';

useSnippets();

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
