import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { listenCommand } from './listen.command';
import { verifyCommand } from './verify/verify.command';
import { webhookSecrets } from './webhook-secret';

describe('the webhook secrets of a command', () => {
  const folder = mkdtempSync(join(tmpdir(), 'ponte-cli-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const file = (name: string, text: string) => {
    const path = join(folder, name);
    writeFileSync(path, text);
    return `@${path}`;
  };
  const env = { PONTE_WEBHOOK_SECRET: 'whsec_env' };

  it('are the plain texts of the option', () => {
    expect(webhookSecrets({ env }, ['whsec_1', 'whsec_2'])).toEqual(['whsec_1', 'whsec_2']);
  });

  it('are read from the file that the option names', () => {
    expect(webhookSecrets({ env }, [file('one', 'whsec_1\n')])).toEqual(['whsec_1']);
    expect(webhookSecrets({ env }, [file('two', 'whsec_1\nwhsec_2\n')])).toEqual(['whsec_1', 'whsec_2']);
    expect(() => webhookSecrets({ env }, ['@/does-not-exist'])).toThrow('cannot be read: /does-not-exist');
  });

  it('are those of the environment without the option', () => {
    expect(webhookSecrets({ env })).toEqual(['whsec_env']);
    expect(webhookSecrets({ env: { PONTE_WEBHOOK_SECRET: file('three', 'whsec_3') } })).toEqual(['whsec_3']);
    expect(webhookSecrets({ env: { PONTE_WEBHOOK_SECRET: '' } })).toEqual([]);
    expect(webhookSecrets({ env: {} })).toEqual([]);
  });

  it('have their forms in the help of listen and of verify webhook', () => {
    const host = { env: {}, out: fail, err: fail, signal: new AbortController().signal };
    for (const command of [listenCommand(host), verifyCommand(host).commands[0]]) {
      const help = command?.helpInformation().replace(/\s+/g, ' ');
      for (const text of ['@file', 'PONTE_WEBHOOK_SECRET', 'visible in process listings']) expect(help).toContain(text);
    }
  });

  const fail = () => expect('no output').toBe('printed');
});
