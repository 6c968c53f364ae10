import type { RebuildableReadModel } from '@ponte/read-models';
import { rebuildNamed } from '@ponte/read-models';
import { findEvent } from '@ponte/event-sourcing';
import type { Engines } from '../engines/engines';
import type { OperatorDuty } from '@ponte/operator';
import { moveBack } from './move-back';
import { bulkReleaseDuty, releaseDuty } from './release-duties';
import { rebuildUnderLease } from './rebuild-under-lease';
import {
  LOG_CHECK,
  LOG_FIND,
  LOG_HEAD,
  LOG_SHOW,
  LOG_SKIP,
  ActionRunner,
  OperatorError,
  shownEvents,
  START,
} from '@ponte/operator';

/** The polling interval for actions: the longest delay for an operator, and a constant load on the database. */
const POLL_INTERVAL_MS = 2_000;

/** Makes this process execute operators' actions for its service. `readModels` are those that it may rebuild. */
export function serveOperators(engines: Engines, readModels: readonly RebuildableReadModel[]): void {
  const {
    operator: { actions },
    systemClock,
    logger,
    timers,
    runtime,
  } = engines;
  const open = sharedRead(
    () => actions.open(),
    () => performance.now(),
  );
  const options = { actions, open, systemClock, logger, instance: runtime.remote?.instance ?? 'standalone' };
  const runners = {
    'operator-actions': new ActionRunner(options).serve({
      [LOG_HEAD]: headDuty(engines),
      [LOG_FIND]: findDuty(engines),
      [LOG_SHOW]: showDuty(engines),
      'relay rewind': rewindDuty(engines),
      [LOG_SKIP]: skipDuty(engines),
      ...failpointDuty(engines),
    }),
    // Releases, log checks, rebuilds and the services' own actions may take long. They have separate runners.
    'operator-releases': new ActionRunner(options).serve({
      'parked release': releaseDuty(engines),
      'parked release-by-reason': bulkReleaseDuty(engines),
    }),
    'operator-log-checks': new ActionRunner(options).serve(logCheckDuty(engines)),
    'operator-rebuilds': new ActionRunner({ ...options, duties: engines.duties }).serve({
      'read-models rebuild': rebuildDuty(engines, readModels),
    }),
  };
  for (const [job, runner] of Object.entries(runners))
    timers.every(job, POLL_INTERVAL_MS, (signal) => runner.executeOpen(signal));
}

/** Shares one result among calls within half an interval: the runners of a process poll at about the same time. */
function sharedRead<T>(read: () => Promise<T>, now: () => number): () => Promise<T> {
  let last: { readonly at: number; readonly answer: Promise<T> } | undefined;
  return () => {
    if (!last || now() - last.at > POLL_INTERVAL_MS / 2) last = { at: now(), answer: read() };
    return last.answer;
  };
}

const headDuty = ({ store }: Pick<Engines, 'store'>): OperatorDuty => ({
  isRead: true,
  can: () => true,
  carryOut: async () => (await store.head()) ?? '',
});

/** The detail of the outcome is the events as JSON. */
const showDuty = ({ store }: Pick<Engines, 'store'>): OperatorDuty => ({
  isRead: true,
  can: () => true,
  carryOut: async ({ stream = '', revision }) =>
    JSON.stringify(await shownEvents(store, stream, revision === undefined ? undefined : Number(revision))),
});

/** The detail of the outcome is the event as JSON, or empty. */
const findDuty = ({ store }: Pick<Engines, 'store'>): OperatorDuty => ({
  isRead: true,
  can: () => true,
  async carryOut({ stream = '', event: id = '', revision }) {
    const found = await findEvent(store, stream, { id, revision: Number(revision) });
    return found ? JSON.stringify(found) : '';
  },
});

/** Readers look up the completed action itself. It is kept permanently, so rebuilds skip the event too. */
const skipDuty = ({ logFaults }: Pick<Engines, 'logFaults'>): OperatorDuty => ({
  can: ({ stream, revision }) =>
    logFaults?.().some(
      (fault) => fault.kind === 'foreign-event' && fault.stream === stream && fault.revision === revision,
    ) ?? false,
  carryOut: async ({ stream = '', revision = '' }) =>
    `readers of this service will skip revision ${revision} of ${stream}`,
});

/** The detail of the outcome is the report as JSON. */
const logCheckDuty = ({ checkLog }: Pick<Engines, 'checkLog'>): Record<string, OperatorDuty> =>
  checkLog === undefined
    ? {}
    : {
        [LOG_CHECK]: { isRead: true, can: () => true, carryOut: async () => JSON.stringify(await checkLog()) },
      };

const rewindDuty = ({ rewindable, ...engines }: Pick<Engines, 'rewindable' | 'operator' | 'store'>): OperatorDuty => ({
  can: ({ reader = '' }) => rewindable.get(reader)?.holds() ?? false,
  async carryOut({ reader = '', to = '' }) {
    const found = rewindable.get(reader);
    const moved = { name: reader, keepsTime: found?.keepsTime ?? false, ownPosition: found?.position };
    const outcome = await found?.rewind(await moveBack(engines, moved, to));
    if (!outcome) throw new OperatorError(`${reader} has just stopped or moved to another process; repeat the command`);
    return `${reader} continues after ${to === START ? 'the beginning of the log' : to}`;
  },
});

/** In the sandbox only: the next append that matches the failpoint kills this process, as `kill -9` does. */
const failpointDuty = ({ failpoints }: Pick<Engines, 'failpoints'>): Record<string, OperatorDuty> =>
  failpoints === undefined
    ? {}
    : {
        'failpoint arm': {
          can: () => true,
          async carryOut({ point = '' }) {
            try {
              failpoints.arm(point);
            } catch (error) {
              throw new OperatorError(
                error instanceof Error ? error.message : 'this is not a failpoint; use for example before:OrderPlaced',
              );
            }
            return `this process will kill itself ${point}`;
          },
        },
      };

const rebuildDuty = (engines: Engines, readModels: readonly RebuildableReadModel[]): OperatorDuty => ({
  can: (subject) => rebuildNamed(subject, readModels) !== undefined,
  carryOut: (subject, signal) => rebuildUnderLease(engines, rebuildNamed(subject, readModels) ?? [], signal),
});
