import { join } from 'node:path';

const folder = import.meta.dirname;

/** The configuration of Stryker, which run.mjs starts at the root with MUTATION_MODULE and MUTATION_FILES set. */
export default {
  mutate: JSON.parse(process.env.MUTATION_FILES),
  testRunner: 'jest',
  plugins: ['@stryker-mutator/jest-runner', join(folder, 'survivors.mjs')],
  jest: { configFile: 'deploy/mutation/jest.config.cjs', enableFindRelatedTests: false },
  ignorers: ['prose'],
  coverageAnalysis: 'perTest',
  concurrency: 1,
  timeoutMS: 10_000,
  reporters: ['survivors', 'json'],
  jsonReporter: { fileName: `tmp/mutation/${process.env.MUTATION_MODULE}.json` },
  tempDirName: `tmp/mutation/${process.env.MUTATION_MODULE}.copy`,
  ignorePatterns: ['dist', '.nx', '.ponte', 'tmp', 'coverage', 'bench-results', 'deploy/rendered'],
  allowEmpty: false,
  logLevel: 'warn',
  warnings: { slow: false },
};
