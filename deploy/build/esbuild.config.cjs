// esbuild does not emit the decorator metadata that Nest's dependency injection needs, so every TypeScript file is
// compiled with swc first.
const { transformFile } = require('@swc/core');

const nestMetadata = {
  name: 'nest-decorator-metadata',
  setup(build) {
    build.onLoad({ filter: /\.ts$/ }, async ({ path }) => {
      const { code } = await transformFile(path, {
        swcrc: false,
        sourceMaps: 'inline',
        module: { type: 'es6' },
        jsc: {
          target: 'es2023',
          keepClassNames: true,
          parser: { syntax: 'typescript', decorators: true },
          transform: { legacyDecorator: true, decoratorMetadata: true },
        },
      });
      return { contents: code, loader: 'js' };
    });
  },
};

module.exports = { plugins: [nestMetadata], outExtension: { '.js': '.js' } };
