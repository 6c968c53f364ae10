// The embedded cluster in one file, packages and all: some 2,300 files found, read and compiled one by one were half of
// its start.
const base = require('./esbuild.config.cjs');

/**
 * Found at run time: what has a binary or files of its own, and what these processes do without unless it is asked for.
 */
const OUTSIDE = [
  'libsql',
  '@foundry-rs/anvil',
  'swagger-ui-dist',
  '@eventstore/db-client',
  'pg',
  '@neslinesli93/qpdf-wasm',
];
/** Nest looks whether these are there; they are not. */
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
