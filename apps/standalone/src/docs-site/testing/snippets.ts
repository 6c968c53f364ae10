import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { SAMPLE } from '../../../../gateway/src/api/samples';
import { findPython } from '../../clients/testing/python';
import { execute, variablesOf } from '../../clients/testing/tools';
import { temporaryFolder } from '@ponte/testing';
import type { InProcessCluster } from '../../e2e/testing/in-process';
import { startInProcess } from '../../e2e/testing/in-process';
import { bundled, pythonWithPackages, snippet } from './programs';

export const python = findPython();
if (python === undefined)
  process.stdout.write('The Python snippets are skipped: they need Python 3.11 or later with venv and pip.\n');

type Language = 'sh' | 'ts' | 'py';
/** The languages whose snippets this machine can run. */
export const LANGUAGES: readonly Language[] = ['sh', 'ts', ...(python === undefined ? [] : (['py'] as const))];

/** Runs a snippet and returns its output. Rejects with the output if it fails. */
type RunSnippet = (name: string, language: Language, env?: Record<string, string>) => Promise<string>;

/** The folder in which the snippets of a file run. */
export let folder: ReturnType<typeof temporaryFolder>;
/** The cluster against which the snippets of a file run. */
export let cluster: InProcessCluster;
export let run: RunSnippet;

/** Starts the cluster before the tests of a file, and stops it afterwards. */
export function useSnippets(): void {
  beforeAll(async () => {
    folder = temporaryFolder();
    cluster = await startInProcess({});
    run = await snippetRunner(cluster, folder.path);
  });
  afterAll(async () => {
    await cluster.close();
    folder.remove();
  });
}

/** Prepares the folder in which the snippets run against a cluster. */
async function snippetRunner(cluster: InProcessCluster, folder: string): Promise<RunSnippet> {
  const photo = join(folder, 'photo.png');
  writeFileSync(photo, Buffer.from(SAMPLE.qrCode, 'base64'));
  const interpreter = python === undefined ? '' : await pythonWithPackages(python);
  return async (name, language, env = {}) => {
    const options = { cwd: folder, env: { ...variablesOf(cluster), PONTE_DOCUMENT_PHOTO: photo, ...env } };
    if (language === 'sh') return execute('bash', [snippet(`${name}.sh`)], options);
    if (language === 'ts') return execute(process.execPath, [await bundled(name, folder)], options);
    return execute(interpreter, ['-B', snippet(`${name}.py`)], options);
  };
}
