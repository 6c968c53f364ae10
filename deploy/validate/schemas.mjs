// Validates Kubernetes objects against the schemas of npm packages, and against their types, which reject unknown keys.
import { join } from 'node:path';
import ts from 'typescript';
import { keyOf } from './render.mjs';
import { ROOT } from './helm.mjs';

/** The part of external-secrets.io/v1 that is used here. No npm package has its models. */
const EXTERNAL_SECRET = `
interface IExternalSecret {
  apiVersion: 'external-secrets.io/v1'; kind: 'ExternalSecret';
  metadata: { name: string; labels?: Record<string, string>; annotations?: Record<string, string> };
  spec: {
    refreshInterval?: string;
    secretStoreRef: { name: string; kind: 'SecretStore' | 'ClusterSecretStore' };
    target: {
      name: string;
      creationPolicy?: 'Owner' | 'Orphan' | 'Merge' | 'None'; deletionPolicy?: 'Delete' | 'Merge' | 'Retain';
    };
    data: { secretKey: string; remoteRef: { key: string; property?: string; version?: string } }[];
  };
}`;

/** The module with the model of a kind; undefined if no package has it. */
function moduleOf({ apiVersion, kind }) {
  if (apiVersion === 'external-secrets.io/v1') return undefined;
  const [group] = String(apiVersion).split('/');
  const root =
    { 'keda.sh': '@kubernetes-models/keda', 'monitoring.coreos.com': '@kubernetes-models/prometheus-operator' }[
      group
    ] ?? 'kubernetes-models';
  return `${root}/${apiVersion}/${kind}`;
}

/** One problem for each document that its schema rejects: `{ key, problem }`. */
export async function schemaProblems(documents) {
  const problems = await Promise.all(
    documents.map(async (document) => {
      const from = moduleOf(document);
      if (from === undefined) return [];
      try {
        const models = await import(from);
        new models[document.kind](document).validate();
        return [];
      } catch (error) {
        return [{ key: keyOf(document), problem: error.message }];
      }
    }),
  );
  return problems.flat();
}

/**
 * Validates against types. Each document is a literal in one generated program, so the compiler rejects every key that
 * its type does not have.
 */
export function keyProblems(documents) {
  const file = join(ROOT, 'deploy/validate/generated.ts');
  const lines = documents.map((document, index) => {
    const from = moduleOf(document);
    const type = from === undefined ? 'IExternalSecret' : `import('${from}').I${document.kind}`;
    return `export const d${index}: ${type} = ${JSON.stringify(document)};`;
  });
  const options = {
    noEmit: true,
    strict: true,
    skipLibCheck: true,
    types: [],
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
  };
  const host = ts.createCompilerHost(options);
  const { getSourceFile, fileExists } = host;
  const text = [...lines, EXTERNAL_SECRET].join('\n');
  host.getSourceFile = (name, ...rest) =>
    name === file ? ts.createSourceFile(name, text, ts.ScriptTarget.ES2022) : getSourceFile.call(host, name, ...rest);
  host.fileExists = (name) => name === file || fileExists.call(host, name);
  const program = ts.createProgram([file], options, host);
  return ts.getPreEmitDiagnostics(program).map(({ messageText, file: at, start }) => {
    const line = at && start !== undefined ? at.getLineAndCharacterOfPosition(start).line : -1;
    const document = documents[line];
    return {
      index: line,
      key: document ? keyOf(document) : 'generated.ts',
      problem: ts.flattenDiagnosticMessageText(messageText, ' ').slice(0, 300),
    };
  });
}
