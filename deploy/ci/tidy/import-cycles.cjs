/**
 * Finds import cycles between TypeScript files, because files that import each other cannot be read, tested or moved
 * separately.
 */
const path = require('node:path');

/**
 * Matches `import … from 'x'`, `export … from 'x'` and `import 'x'`, including those of types. A dynamic import runs
 * later and is not part of a cycle.
 */
const IMPORTS = /^(?:import|export)\b(?:[^'";]*?\bfrom)?\s*'([^']+)'/gm;

/** The file that an import refers to, by a relative path or by the package name of a library. */
function resolved(file, target, exists) {
  const base = target.startsWith('.')
    ? path.join(path.dirname(file), target)
    : target.replace(/^@ponte\/([^/]+)$/, 'libs/$1/src/index');
  return [`${base}.ts`, `${base}/index.ts`].find(exists);
}

/**
 * @param {Map<string, string>} sources TypeScript files by path, with their content
 * @returns {string[][]} the cycles: the files that reach each other, in alphabetical order
 */
function cyclesIn(sources) {
  const imports = new Map(
    [...sources].map(([file, text]) => [
      file,
      [...text.matchAll(IMPORTS)].flatMap(([, target]) => resolved(file, target, (one) => sources.has(one)) ?? []),
    ]),
  );
  // Tarjan's algorithm for strongly connected components, without recursion because chains of imports may be long.
  const [order, low, stack, cycles] = [new Map(), new Map(), [], []];
  for (const root of sources.keys()) {
    const work = order.has(root) ? [] : [{ file: root, next: 0 }];
    while (work.length > 0) {
      const step = work.at(-1);
      const { file } = step;
      if (step.next === 0) {
        order.set(file, order.size);
        low.set(file, order.get(file));
        stack.push(file);
      }
      const target = imports.get(file)[step.next++];
      if (target !== undefined) {
        if (!order.has(target)) work.push({ file: target, next: 0 });
        else if (stack.includes(target)) low.set(file, Math.min(low.get(file), order.get(target)));
        continue;
      }
      work.pop();
      const above = work.at(-1);
      if (above) low.set(above.file, Math.min(low.get(above.file), low.get(file)));
      if (low.get(file) !== order.get(file)) continue;
      const component = stack.splice(stack.indexOf(file));
      if (component.length > 1 || imports.get(file).includes(file)) cycles.push(component.sort());
    }
  }
  return cycles;
}

module.exports = { cyclesIn };
