// esbuild does not emit the decorator metadata that Nest's dependency injection needs, so every TypeScript file is
// compiled with swc first.
const { transformFile } = require('@swc/core');
const swcOptions = require('./swc-options.cjs');

const nestMetadata = {
  name: 'nest-decorator-metadata',
  setup(build) {
    build.onLoad({ filter: /\.ts$/ }, async ({ path }) => {
      const { code } = await transformFile(path, swcOptions);
      return { contents: code, loader: 'js' };
    });
  },
};

module.exports = { plugins: [nestMetadata], outExtension: { '.js': '.js' } };
