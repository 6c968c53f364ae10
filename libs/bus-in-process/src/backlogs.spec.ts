import { describeBacklogs } from '@ponte/testing';
import { localBacklogs } from './backlogs';

describeBacklogs('one process', async () => {
  let now = 0;
  return {
    backlogs: localBacklogs(() => now),
    later: (ms) => {
      now += ms;
    },
    cleanUp: async () => undefined,
  };
});
