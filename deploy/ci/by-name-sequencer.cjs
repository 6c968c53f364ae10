const { default: Sequencer } = require('@jest/test-sequencer');

/** Starts suites in the order of their paths. By default Jest starts with those that took longest, or are largest. */
module.exports = class ByNameSequencer extends Sequencer {
  sort(tests) {
    return [...tests].sort((one, other) => (one.path < other.path ? -1 : 1));
  }
};
