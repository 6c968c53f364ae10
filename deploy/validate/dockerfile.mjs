// Checks deploy/Dockerfile without building it.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { images, nameOf } from './compose.mjs';
import { ROOT } from './helm.mjs';

export const readDockerfile = () => readFileSync(join(ROOT, 'deploy/Dockerfile'), 'utf8');
export const readIgnored = () => readFileSync(join(ROOT, 'deploy/Dockerfile.dockerignore'), 'utf8');

/** Instructions with their arguments. Continued lines are joined, comments are omitted. */
export function instructions(text) {
  const lines = text
    .replace(/^\s*#.*\n/gm, '')
    .replace(/\\\n/g, ' ')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
  return lines.map((line) => ({
    name: line.split(/\s+/)[0].toUpperCase(),
    rest: line.slice(line.search(/\s/) + 1).trim(),
  }));
}

/** Stages: name, image with its default arguments, instructions. */
export function stages(text) {
  const defaults = Object.fromEntries(
    instructions(text)
      .filter(({ name }) => name === 'ARG')
      .flatMap(({ rest }) => (rest.includes('=') ? [rest.split(/=(.*)/s).slice(0, 2)] : [])),
  );
  const all = [];
  for (const one of instructions(text)) {
    if (one.name === 'FROM') {
      const [, image, , name] = /^(\S+)(\s+AS\s+(\S+))?$/i.exec(one.rest) ?? [];
      all.push({
        name,
        image: (image ?? '').replace(/\$\{(\w+)\}/g, (_, variable) => defaults[variable] ?? ''),
        steps: [],
      });
    } else all.at(-1)?.steps.push(one);
  }
  return all;
}

const copies = (steps) =>
  steps
    .filter(({ name }) => name === 'COPY')
    .map(({ rest }) => {
      const words = rest.split(/\s+/);
      const flags = words.filter((word) => word.startsWith('--'));
      return {
        from: flags.find((flag) => flag.startsWith('--from='))?.slice('--from='.length),
        sources: words.filter((word) => !word.startsWith('--')).slice(0, -1),
      };
    });

/** Index of the first step of a stage that runs a command; Infinity if no step does. */
const stepOf = (stage, command) => {
  const at = stage?.steps.findIndex(({ name, rest }) => name === 'RUN' && rest.includes(command)) ?? -1;
  return at < 0 ? Infinity : at;
};

/** Name of the rule → (text of the Dockerfile, text of the ignored) → faults. */
export const DOCKERFILE_RULES = {
  'base images are those of images.yaml': (text) => {
    const listed = images()
      .filter(({ used }) => used === 'build')
      .map(nameOf);
    return stages(text)
      .map(({ image }) => image)
      .filter((image) => image.includes(':') && !listed.includes(image))
      .map((image) => `${image} is not listed`);
  },

  'each stage comes from a stage before, or from an image of one version': (text) =>
    stages(text).flatMap(({ image }, index, all) =>
      all.slice(0, index).some(({ name }) => name === image) ||
      /:(?!latest$)[\w][\w.-]*$/.test(image) ||
      /@sha256:/.test(image)
        ? []
        : [image],
    ),

  'what is copied from is a stage, and what is copied exists': (text, ignored) =>
    stages(text).flatMap(({ steps }, index, all) =>
      copies(steps).flatMap(({ from, sources }) => {
        if (from !== undefined)
          return all.slice(0, index).some(({ name }) => name === from) ? [] : [`there is no stage ${from}`];
        const allowed = ignored
          .split('\n')
          .filter((line) => line.startsWith('!'))
          .map((line) => line.slice(1));
        return sources.flatMap((source) => [
          ...(existsSync(join(ROOT, source)) ? [] : [`${source} is not there`]),
          ...(allowed.includes(source) ? [] : [`${source} is kept out by .dockerignore`]),
        ]);
      }),
    ),

  'the last image is distroless, and its user is not root': (text) => {
    const last = stages(text).at(-1);
    const user = last.steps.findLast(({ name }) => name === 'USER')?.rest;
    return [
      ...(/distroless\/.*:nonroot(?:@sha256:\w+)?$/.test(last.image) ? [] : [last.image]),
      ...(/^[1-9]\d*:[1-9]\d*$/.test(user ?? '') ? [] : [`the user ${user}`]),
    ];
  },

  'the last image runs nothing to be made, and needs no shell': (text) =>
    stages(text)
      .at(-1)
      .steps.flatMap(({ name, rest }) => [
        ...(name === 'RUN' || name === 'ADD' ? [`${name} in the last stage`] : []),
        ...((name === 'CMD' || name === 'ENTRYPOINT') && !rest.startsWith('[')
          ? [`${name} ${rest} is for a shell`]
          : []),
      ]),

  'what is installed stands in a lock, and runs no scripts': (text) =>
    instructions(text)
      .filter(({ name, rest }) => name === 'RUN' && /npm (ci|install|i)\b/.test(rest))
      .flatMap(({ rest }) => [
        ...(rest.includes('--ignore-scripts') ? [] : [rest]),
        ...(/npm (install|i)\b/.test(rest) && !/--no-save .*"@foundry-rs\/anvil@\$\(/.test(rest) ? [rest] : []),
      ]),

  'one file for any app, and no secret in it': (text) => [
    ...(stages(text).filter(({ steps }) => steps.some(({ name, rest }) => name === 'ARG' && rest === 'APP')).length >= 3
      ? []
      : ['ARG APP in each stage that needs it']),
    ...instructions(text)
      .filter(({ name, rest }) => (name === 'ARG' || name === 'ENV') && /(PASSWORD|SECRET|TOKEN|_KEY)\b/.test(rest))
      .map(({ rest }) => rest),
  ],

  'the installation without development dependencies is the one that is shipped': (text) => {
    const dependencies = stages(text).find(({ name }) => name === 'dependencies');
    const shipped = copies(stages(text).at(-1).steps).filter(({ sources }) =>
      sources.some((source) => source.includes('node_modules')),
    );
    return [
      ...(dependencies?.steps.some(({ rest }) => rest.includes('npm ci --omit=dev')) ? [] : ['npm ci --omit=dev']),
      ...(stepOf(dependencies, 'pin-overrides.cjs /workspace') < stepOf(dependencies, 'npm ci')
        ? []
        : ['the overrides of the workspace before npm ci, which refuses the pruned lock otherwise']),
      ...(shipped.length === 1 && shipped[0].from === 'dependencies' ? [] : ['node_modules of another stage']),
    ];
  },
};

/** [rule, description, how the text is changed]. */
export const DOCKERFILE_PLANTED = [
  [
    'base images are those of images.yaml',
    'an image that is not listed',
    (text) => text.replace('node:24.18.0-bookworm-slim', 'node:25-bookworm-slim'),
  ],
  [
    'base images are those of images.yaml',
    'a tag without its digest',
    (text) => text.replace(/(node:24[^@\n]*)@sha256:\w+/, '$1'),
  ],
  [
    'each stage comes from a stage before, or from an image of one version',
    'the tag latest',
    (text) => text.replace(/node:24[^\n]*/, 'node:latest'),
  ],
  [
    'each stage comes from a stage before, or from an image of one version',
    'a stage that is not there',
    (text) => text.replace('FROM tools AS build', 'FROM tool AS build'),
  ],
  [
    'what is copied from is a stage, and what is copied exists',
    'a file that is not there',
    (text) => text.replace('nx.json tsconfig', 'nx.jsonc tsconfig'),
  ],
  [
    'what is copied from is a stage, and what is copied exists',
    'a file that is kept out',
    (text) => text.replace('COPY libs libs', 'COPY libs docs ./'),
  ],
  [
    'what is copied from is a stage, and what is copied exists',
    'a stage of another name',
    (text) => text.replace('--from=dependencies', '--from=deps'),
  ],
  [
    'the last image is distroless, and its user is not root',
    'the root user',
    (text) => text.replace('USER 65532:65532', 'USER root'),
  ],
  [
    'the last image is distroless, and its user is not root',
    'an image with a shell',
    (text) => text.replace(/gcr\.io\/distroless[^\n]*/, 'node:24-bookworm-slim'),
  ],
  [
    'the last image runs nothing to be made, and needs no shell',
    'a command for a shell',
    (text) => text.replace(/^CMD .*$/m, 'CMD node main.js'),
  ],
  [
    'the last image runs nothing to be made, and needs no shell',
    'a RUN in the last stage',
    (text) => text.replace('USER 65532', 'RUN true\nUSER 65532'),
  ],
  [
    'what is installed stands in a lock, and runs no scripts',
    'npm install',
    (text) => text.replace('npm ci --omit=dev', 'npm install --omit=dev'),
  ],
  [
    'what is installed stands in a lock, and runs no scripts',
    'scripts of packages',
    (text) => text.replace('npm ci --ignore-scripts', 'npm ci'),
  ],
  [
    'one file for any app, and no secret in it',
    'a token as a build argument',
    (text) => text.replace('ARG CHAINS=rpc', 'ARG CHAINS=rpc\nARG NPM_TOKEN'),
  ],
  [
    'the installation without development dependencies is the one that is shipped',
    'no overrides',
    (text) => text.replace(/^RUN node .*pin-overrides.*$/m, ''),
  ],
  [
    'the installation without development dependencies is the one that is shipped',
    'the dependencies of the build',
    (text) => text.replace('--from=dependencies /app/node_modules', '--from=tools /src/node_modules'),
  ],
];
