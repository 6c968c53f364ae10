import { execFileSync } from 'node:child_process';
import { resolve } from 'node:path';
import * as artifact from '../../../../contracts/artifacts/RewardCertificate.json';
import { CERTIFICATE_ABI } from './abi';

it('the ABI of the certificates is part of the compiled contract', () => {
  const compiled = (artifact.abi as readonly { type: string; name?: string }[]).map(
    ({ type, name }) => `${type} ${name}`,
  );
  for (const { type, name } of CERTIFICATE_ABI) expect(compiled).toContain(`${type} ${name}`);
  const script = resolve(__dirname, '../../../../contracts/compile.mjs');
  expect(() => execFileSync(process.execPath, [script, '--check'], { stdio: 'pipe' })).not.toThrow();
});
