// Renders the chart with the values (`helm template`) to deploy/rendered/<release>.yaml:
// node deploy/validate/render.mjs
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseAllDocuments, stringify } from 'yaml';
import { helm, ROOT } from './helm.mjs';

export const VALUES = join(ROOT, 'deploy/values');
const RENDERED = join(ROOT, 'deploy/rendered');
const OBSERVABILITY = join(ROOT, 'deploy/observability');
/** Kubernetes version of the rendered objects. The chart requires 1.30 or newer. */
const KUBERNETES = '1.33.0';

/** Releases, named like their values: seven services and the platform. */
export const RELEASES = readdirSync(VALUES)
  .filter((file) => file.endsWith('.yaml') && file !== 'common.yaml')
  .map((file) => basename(file, '.yaml'))
  .sort();
export const SERVICES = RELEASES.filter((name) => name !== 'platform');

/** The documents of one release. `extra` are additional arguments of Helm, for the planted mistakes. */
export function render(name, extra = []) {
  const files = [join(VALUES, 'common.yaml'), join(VALUES, `${name}.yaml`)].flatMap((file) => ['-f', file]);
  const args = [
    'template',
    `ponte-${name}`,
    join(ROOT, 'deploy/chart'),
    '--namespace',
    'ponte',
    '--kube-version',
    KUBERNETES,
    ...files,
    ...(name === 'platform' ? shared() : []),
    ...extra,
  ];
  const text = execFileSync(helm(), args, { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] });
  return documentsIn(text).sort((left, right) => keyOf(left).localeCompare(keyOf(right), 'en'));
}

/** Alerts and dashboards are outside the chart, because Prometheus and Grafana of compose.yaml also read them. */
function shared() {
  const alerts = join(OBSERVABILITY, 'alerts.yaml');
  const dashboards = filesBelow(OBSERVABILITY)
    .filter((file) => /dashboards\/[a-z0-9-]+\.json$/.test(file))
    .sort();
  return [
    ...(existsSync(alerts) ? ['--set-file', `platform.alerts=${alerts}`] : []),
    ...dashboards.flatMap((file) => ['--set-file', `platform.dashboards.${basename(file, '.json')}=${file}`]),
  ];
}

const filesBelow = (folder) =>
  existsSync(folder) ? readdirSync(folder, { recursive: true }).map((file) => join(folder, file)) : [];

/** Parses YAML 1.1 as Kubernetes does: an unquoted `on` is a boolean, and 0440 is octal. */
const YAML = { version: '1.1' };

export function documentsIn(text) {
  return parseAllDocuments(text, YAML).flatMap((document) => {
    if (document.errors.length > 0) throw document.errors[0];
    const value = document.toJS();
    return value === null ? [] : [value];
  });
}

export const keyOf = ({ kind, metadata }) => `${kind}/${metadata?.name}`;

/** Writes equal documents as equal text, independent of the version of Helm. */
const textOf = (documents) =>
  `# Written by deploy/validate/render.mjs from deploy/chart and deploy/values; do not edit.\n${documents.map((one) => `---\n${stringify(one, { ...YAML, lineWidth: 0, aliasDuplicateObjects: false })}`).join('')}`;

/** File → text, of all releases. */
export function renderAll() {
  return new Map(RELEASES.map((name) => [join(RENDERED, `${name}.yaml`), textOf(render(name))]));
}

/** Committed files that differ from the rendered ones or are no longer rendered. */
export function differences(rendered) {
  const present = existsSync(RENDERED) ? readdirSync(RENDERED).map((file) => join(RENDERED, file)) : [];
  const changed = [...rendered]
    .filter(([file, text]) => !existsSync(file) || readFileSync(file, 'utf8') !== text)
    .map(([file]) => file);
  return [...changed, ...present.filter((file) => !rendered.has(file))];
}

function write() {
  const rendered = renderAll();
  mkdirSync(RENDERED, { recursive: true });
  for (const file of differences(rendered)) {
    const text = rendered.get(file);
    if (text === undefined) rmSync(file);
    else writeFileSync(file, text);
    process.stdout.write(`${text === undefined ? 'removed' : 'wrote'} ${file}\n`);
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) write();
