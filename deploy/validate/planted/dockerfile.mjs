// Mistakes planted into deploy/Dockerfile. The rule for each must find it.

/** [rule, description, how the text is changed]. */
export const DOCKERFILE_PLANTED = [
  [
    'base images match images.yaml',
    'an image that is not listed',
    (text) => text.replace('node:24.18.0-bookworm-slim', 'node:25-bookworm-slim'),
  ],
  [
    'base images match images.yaml',
    'a tag without its digest',
    (text) => text.replace(/(node:24[^@\n]*)@sha256:\w+/, '$1'),
  ],
  [
    'each stage is based on an earlier stage or on an image with a fixed version',
    'the tag latest',
    (text) => text.replace(/node:24[^\n]*/, 'node:latest'),
  ],
  [
    'each stage is based on an earlier stage or on an image with a fixed version',
    'a stage that does not exist',
    (text) => text.replace('FROM tools AS build', 'FROM tool AS build'),
  ],
  [
    'copied files exist, and copies come from earlier stages',
    'a file that does not exist',
    (text) => text.replace('nx.json tsconfig', 'nx.jsonc tsconfig'),
  ],
  [
    'copied files exist, and copies come from earlier stages',
    'an excluded file',
    (text) => text.replace('COPY libs libs', 'COPY libs docs ./'),
  ],
  [
    'copied files exist, and copies come from earlier stages',
    'a stage with another name',
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
    'the last stage runs no build step and needs no shell',
    'a command for a shell',
    (text) => text.replace(/^CMD .*$/m, 'CMD node main.js'),
  ],
  [
    'the last stage runs no build step and needs no shell',
    'a RUN in the last stage',
    (text) => text.replace('USER 65532', 'RUN true\nUSER 65532'),
  ],
  [
    'packages are installed from a lock file without scripts',
    'npm install',
    (text) => text.replace('npm ci --omit=dev', 'npm install --omit=dev'),
  ],
  [
    'packages are installed from a lock file without scripts',
    'scripts of packages',
    (text) => text.replace('npm ci --ignore-scripts', 'npm ci'),
  ],
  [
    'the file builds any app and contains no secret',
    'a token as a build argument',
    (text) => text.replace('ARG CHAINS=rpc', 'ARG CHAINS=rpc\nARG NPM_TOKEN'),
  ],
  [
    'the shipped installation has no development dependencies',
    'no overrides',
    (text) => text.replace(/^RUN node .*pin-overrides.*$/m, ''),
  ],
  [
    'the shipped installation has no development dependencies',
    'the dependencies of the build',
    (text) => text.replace('--from=dependencies /app/node_modules', '--from=tools /src/node_modules'),
  ],
];
