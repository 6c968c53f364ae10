import layout from './layout.cjs';
import './project-graph.mjs';

/** Syntax and globals that access the outside world, with the message that says what to use instead. */
export const AMBIENT = {
  syntax: [
    {
      selector: "CallExpression[callee.object.name='Date'][callee.property.name='now']",
      message: 'Take the time from the Clock port.',
    },
    {
      selector: "NewExpression[callee.name='Date'][arguments.length=0]",
      message: 'Take the time from the Clock port.',
    },
    {
      selector: "CallExpression[callee.object.name='Math'][callee.property.name='random']",
      message: 'Take ids from the Ids port; randomness belongs in an adapter.',
    },
    {
      selector: "MemberExpression[object.name='process'][property.name='env']",
      message: 'Read the environment in <service>.config.ts, by value, from the composition root.',
    },
  ],
  globals: ['setTimeout', 'setInterval', 'setImmediate', 'fetch'].map((name) => ({
    name,
    message: 'Use the Timers port or an adapter.',
  })),
};

/** Imports from packages that no code of ours may have. */
export const PACKAGE_IMPORTS = {
  paths: [
    {
      name: '@nestjs/cqrs',
      importNames: ['EventBus', 'EventsHandler'],
      message: 'Use @Policy: our own dispatcher runs the policies.',
    },
  ],
  patterns: [
    {
      regex: '^[^.].*/dist/',
      message: 'A package may move its built files in any release: import what it exports.',
    },
  ],
};

export const services = ['gateway', 'onboarding', 'pricing', 'orders', 'movements', 'ledger', 'webhooks'];
export const libraries = (...names) => names.map((name) => `scope:${name}`);

/**
 * The libraries that each library may import. Tests next to the code of a library count too: an adapter's tests may use
 * `testing`, and some of them an embedded engine.
 */
export const DEPENDENCIES = {
  kernel: [],
  'event-sourcing': ['kernel'],
  contracts: ['kernel', 'event-sourcing'],
  concurrency: ['kernel', 'event-sourcing'],
  'read-models': ['kernel', 'event-sourcing', 'contracts', 'concurrency'],
  testing: ['kernel', 'event-sourcing', 'contracts', 'read-models'],
  'personal-data': ['kernel', 'event-sourcing', 'testing'],
  'eventstore-sqlite': ['kernel', 'event-sourcing', 'concurrency', 'read-models', 'personal-data', 'testing'],
  'eventstore-eventstoredb': ['kernel', 'event-sourcing', 'concurrency', 'testing'],
  blobs: ['kernel', 'event-sourcing', 'eventstore-sqlite', 'testing'],
  'screening-lists': ['kernel', 'concurrency', 'testing'],
  'bus-in-process': ['kernel', 'event-sourcing', 'concurrency', 'testing'],
  'bus-kafka': [
    ...['kernel', 'event-sourcing', 'concurrency', 'read-models', 'bus-in-process'],
    ...['eventstore-sqlite', 'testing'],
  ],
  postgres: [
    ...['kernel', 'event-sourcing', 'contracts', 'concurrency', 'read-models', 'personal-data'],
    ...['eventstore-sqlite', 'testing'],
  ],
  operator: [
    ...['kernel', 'event-sourcing', 'contracts', 'concurrency', 'read-models'],
    ...['bus-kafka', 'eventstore-sqlite'],
  ],
  observability: ['kernel', 'event-sourcing', 'contracts', 'concurrency', 'bus-kafka', 'testing'],
  sdk: [],
};
export const LIBRARIES = Object.keys(DEPENDENCIES).filter((name) => name !== 'sdk');
/** Pure code: decisions, their state, rules and errors. */
export const PURE = Object.keys(layout.PURE_ROLES).map((role) => `apps/*/src/**/*.${role}.ts`);
/** Libraries with adapters of ports. Only composition roots and adapters may import them. */
export const ENGINES = [
  ...['blobs', 'bus-in-process', 'bus-kafka', 'eventstore-eventstoredb', 'eventstore-sqlite'],
  ...['personal-data', 'postgres', 'read-models', 'screening-lists'],
].map((name) => `@ponte/${name}`);
/** Roles of the files that use the domain. The domain must not import them. */
export const USES_DOMAIN = 'port adapter read-model repository command query policy job service module config'.split(
  ' ',
);
