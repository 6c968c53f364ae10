// Bundles the embedded cluster and its packages into one file. Finding, reading and compiling about 2,300 separate
// files took half of the start-up time.
const { readFile } = require('node:fs/promises');
const base = require('./esbuild.config.cjs');

/** Packages loaded at run time: those with a binary or their own files, and those that are needed only on demand. */
const OUTSIDE = [
  'libsql',
  '@foundry-rs/anvil',
  'swagger-ui-dist',
  '@eventstore/db-client',
  'pg',
  '@neslinesli93/qpdf-wasm',
];
/** Optional packages that Nest looks for and that are not installed. */
const ABSENT = [
  '@nestjs/platform-express',
  '@nestjs/websockets',
  '@fastify/static',
  '@fastify/view',
  '@grpc/proto-loader',
  'amqp-connection-manager',
  'amqplib',
  'class-transformer',
  'class-transformer/storage',
  'ioredis',
  'mqtt',
  'nats',
];

/**
 * Node keeps the source text of a loaded file in memory, and with two bytes for each character if a single one is not
 * Latin-1. Without comments and indentation, and with the regular expressions of `validator` escaped, the text takes
 * 11 MiB instead of 31. Names stay, and a line of a stack trace is at most about 160 characters long.
 */
const small = { minifyWhitespace: true, lineLimit: 160 };

/** esbuild escapes strings, but no regular expressions. */
const escapedExpressions = {
  name: 'escaped-expressions',
  setup(build) {
    build.onLoad({ filter: /node_modules\/validator\/.*\.js$/ }, async ({ path }) => {
      const source = await readFile(path, 'utf8');
      const escaped = (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
      // Without the flag `u`, each match is one UTF-16 unit, as an escape sequence is.
      return { contents: source.replace(/[^\0-\x7f]/g, escaped), loader: 'js' };
    });
  },
};

module.exports = {
  ...base,
  ...small,
  plugins: [...base.plugins, escapedExpressions],
  external: [...OUTSIDE, ...ABSENT],
};
