/**
 * An action that does nothing while it still runs, so that a double click does not take it twice.
 * @param {() => Promise<unknown>} run @returns {() => Promise<void>}
 */
export function oneAtATime(run) {
  let isRunning = false;
  return async () => {
    if (isRunning) return;
    isRunning = true;
    try {
      await run();
    } finally {
      isRunning = false;
    }
  };
}
