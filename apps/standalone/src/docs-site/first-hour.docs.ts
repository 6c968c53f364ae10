import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { freePort, temporaryFolder } from '@ponte/testing';
import { cpfWith } from '../../../cli/src/trigger/kyc-scenarios';
import { findPython } from '../clients/testing/python';
import { execute } from '../clients/testing/tools';
import type { InProcessCluster } from '../e2e/testing/in-process';
import { startInProcess } from '../e2e/testing/in-process';
import { until } from '../e2e/testing/waiting';
import { bundledFile, PAGES, snippet, startReceiver } from './testing/programs';

/** The quickstart page. All commands and code that this test runs are taken from its text. */
const PAGE = readFileSync(join(PAGES, 'quickstart.md'), 'utf8');
const python = findPython();

type Language = 'sh' | 'ts' | 'py';
const LANGUAGES: readonly Language[] = ['sh', 'ts', ...(python === undefined ? [] : (['py'] as const))];

/** The shell commands of a step, such as step 1 of `1. Start the sandbox`. */
function commandsOf(step: number): string[] {
  const [, text = ''] = new RegExp(`\n## ${step}\\. ([^]*?)(?=\n## |$)`).exec(PAGE) ?? [];
  return [...text.matchAll(/```sh\n([^]*?)```/g)].map(([, commands = '']) => commands);
}

/** The code that a step shows in a language, which is a region of a snippet. */
function codeOf(step: number, language: Language): string {
  const [, text = ''] = new RegExp(`\n## ${step}\\. ([^]*?)(?=\n## |$)`).exec(PAGE) ?? [];
  const [, file = '', region = ''] = new RegExp(`<<< @/snippets/\\w+/([\\w.-]+\\.${language})#(\\w+)`).exec(text) ?? [];
  const [, code = ''] =
    new RegExp(`#region ${region}\n([^]*?)\n[^\n]*#endregion ${region}`).exec(readFileSync(snippet(file), 'utf8')) ??
    [];
  return code;
}

const home = temporaryFolder();
let cluster: InProcessCluster;
beforeAll(async () => {
  cluster = await startInProcess({});
  mkdirSync(join(home.path, '.ponte'));
  writeFileSync(join(home.path, '.ponte/sandbox.json'), JSON.stringify(cluster.sandbox));
});
afterAll(async () => {
  await cluster.close();
  home.remove();
});

/** The `PONTE_` variables that the commands of the page export. */
async function exported(commands: string): Promise<Record<string, string>> {
  const script = `${commands}\nexport -p | sed -n 's/^declare -x \\(PONTE_[A-Z_]*\\)="\\(.*\\)"$/\\1=\\2/p'`;
  const printed = await execute('bash', ['-euc', script], { cwd: home.path });
  return Object.fromEntries(
    printed
      .trim()
      .split('\n')
      .map((line) => [line.slice(0, line.indexOf('=')), line.slice(line.indexOf('=') + 1)]),
  );
}

describe('the quickstart, followed literally', () => {
  it('starts the sandbox with npm ci and npm start', () => {
    expect(commandsOf(1)[0]).toBe('npm ci\nnpm start\n');
  });

  it.each(LANGUAGES)('pays an order, verifies webhooks and onboards a sub-account in %s', async (language) => {
    const folder = join(home.path, language);
    mkdirSync(folder);
    const port = String(await freePort());
    const [photo = '', ...exports] = (commandsOf(6)[0] ?? '').split('\n');
    const env: Record<string, string> = {
      ...(await exported(commandsOf(1)[1] ?? '')),
      ...(await exported(commandsOf(5)[0] ?? '')),
      ...(await exported(exports.join('\n'))),
      PONTE_RECEIVER_URL: `http://127.0.0.1:${port}/`,
      // A different person for each language, because the page names only one.
      PONTE_CPF: cpfWith('900'),
    };
    await execute('bash', ['-euc', photo], { cwd: folder });
    writeFileSync(join(folder, 'ponte.py'), readFileSync(snippet('ponte.py')));

    const run = async (name: string, code: string): Promise<string> => {
      const file = join(folder, `${name}.${language}`);
      writeFileSync(file, code);
      if (language === 'sh') return execute('bash', [file], { cwd: folder, env });
      if (language === 'py') return execute(python ?? '', ['-B', file], { cwd: folder, env });
      return execute(process.execPath, [await bundledFile(file, join(folder, `${name}.mjs`))], { cwd: folder, env });
    };

    const order = [2, 3, 4].map((step) => codeOf(step, language)).join('\n\n');
    expect(await run('quickstart', order)).toMatch(/BRL buys[^]*Pay this code: 000201[^]*The order is completed\.\n$/);

    const secret = /whsec_\S+/.exec(await run('webhook-endpoint', codeOf(5, language)))?.[0] ?? '';
    const receiver = await startReceiver(
      process.execPath,
      [await bundledFile(snippet('receiver.ts'), join(folder, 'receiver.mjs'))],
      { PORT: port, PONTE_WEBHOOK_SECRET: secret },
    );
    try {
      await until(() => expect(receiver.printed()).toContain('verified webhook-ping'));
      await run('quickstart', order);
      await until(() => expect(receiver.printed()).toContain('verified order-completed'));
      expect(await run('onboarding', codeOf(6, language))).toMatch(/The sub-account .*is active\./);
      await until(() => expect(receiver.printed()).toContain('verified account-approved'));
    } finally {
      await receiver.stop();
    }
  });

  it('promises only lines that the examples print', () => {
    const promised = [...PAGE.matchAll(/`(verified [\w-]+|The [\w -]+\.)`/g)].map(([, line]) => line);
    expect(new Set(promised)).toEqual(
      new Set([
        'The order is completed.',
        'verified webhook-ping',
        'verified order-completed',
        'The sub-account is active.',
        'verified account-approved',
      ]),
    );
  });
});
