// Makes Nx's project graph where its cache has none, as in a fresh clone. Without one, the lint rule
// `@nx/enforce-module-boundaries` checks nothing.
import { createProjectGraphAsync, readCachedProjectGraph } from '@nx/devkit';

try {
  readCachedProjectGraph();
} catch {
  await createProjectGraphAsync();
}
