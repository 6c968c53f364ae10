// Checks deploy/Dockerfile without building it.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './helm.mjs';
import { images, nameOf } from './images.mjs';

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

/** Name of the rule → (text of the Dockerfile, text of .dockerignore) → faults. */
export const DOCKERFILE_RULES = {
  'base images match images.yaml': (text) => {
    const listed = images()
      .filter(({ used }) => used === 'build')
      .map(nameOf);
    return stages(text)
      .map(({ image }) => image)
      .filter((image) => image.includes(':') && !listed.includes(image))
      .map((image) => `${image} is not listed`);
  },

  'each stage is based on an earlier stage or on an image with a fixed version': (text) =>
    stages(text).flatMap(({ image }, index, all) =>
      all.slice(0, index).some(({ name }) => name === image) ||
      /:(?!latest$)[\w][\w.-]*$/.test(image) ||
      /@sha256:/.test(image)
        ? []
        : [image],
    ),

  'copied files exist, and copies come from earlier stages': (text, ignored) =>
    stages(text).flatMap(({ steps }, index, all) =>
      copies(steps).flatMap(({ from, sources }) => {
        if (from !== undefined)
          return all.slice(0, index).some(({ name }) => name === from) ? [] : [`the stage ${from} does not exist`];
        const allowed = ignored
          .split('\n')
          .filter((line) => line.startsWith('!'))
          .map((line) => line.slice(1));
        return sources.flatMap((source) => [
          ...(existsSync(join(ROOT, source)) ? [] : [`${source} does not exist`]),
          ...(allowed.includes(source) ? [] : [`${source} is excluded by .dockerignore`]),
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

  'the last stage runs no build step and needs no shell': (text) =>
    stages(text)
      .at(-1)
      .steps.flatMap(({ name, rest }) => [
        ...(name === 'RUN' || name === 'ADD' ? [`${name} in the last stage`] : []),
        ...((name === 'CMD' || name === 'ENTRYPOINT') && !rest.startsWith('[')
          ? [`${name} ${rest} needs a shell`]
          : []),
      ]),

  'packages are installed from a lock file without scripts': (text) =>
    instructions(text)
      .filter(({ name, rest }) => name === 'RUN' && /npm (ci|install|i)\b/.test(rest))
      .flatMap(({ rest }) => [
        ...(rest.includes('--ignore-scripts') ? [] : [rest]),
        ...(/npm (install|i)\b/.test(rest) && !/--no-save .*"@foundry-rs\/anvil@\$\(/.test(rest) ? [rest] : []),
      ]),

  'the file builds any app and contains no secret': (text) => [
    ...(stages(text).filter(({ steps }) => steps.some(({ name, rest }) => name === 'ARG' && rest === 'APP')).length >= 3
      ? []
      : ['ARG APP in each stage that needs it']),
    ...instructions(text)
      .filter(({ name, rest }) => (name === 'ARG' || name === 'ENV') && /(PASSWORD|SECRET|TOKEN|_KEY)\b/.test(rest))
      .map(({ rest }) => rest),
  ],

  'the shipped installation has no development dependencies': (text) => {
    const dependencies = stages(text).find(({ name }) => name === 'dependencies');
    const shipped = copies(stages(text).at(-1).steps).filter(({ sources }) =>
      sources.some((source) => source.includes('node_modules')),
    );
    return [
      ...(dependencies?.steps.some(({ rest }) => rest.includes('npm ci --omit=dev')) ? [] : ['npm ci --omit=dev']),
      ...(stepOf(dependencies, 'pin-overrides.cjs /workspace') < stepOf(dependencies, 'npm ci')
        ? []
        : ['the overrides of the workspace before npm ci, which otherwise refuses the pruned lock file']),
      ...(shipped.length === 1 && shipped[0].from === 'dependencies' ? [] : ['node_modules of another stage']),
    ];
  },
};
