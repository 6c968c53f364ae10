/** All points, or every other one with `KILL_POINTS=half`, as in the gate. */
export const chosenPoints = <P>(points: readonly P[]): readonly P[] =>
  process.env['KILL_POINTS'] === 'half' ? points.filter((_, index) => index % 2 === 0) : points;
