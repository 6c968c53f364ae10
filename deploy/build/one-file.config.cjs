// Bundles the embedded cluster and its packages into one file. Finding, reading and compiling about 2,300 separate
// files took half of the start-up time.
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

module.exports = { ...base, external: [...OUTSIDE, ...ABSENT] };
