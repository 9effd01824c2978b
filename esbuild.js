// Bundles the extension into dist/. `node esbuild.js [--watch] [--production]`
//
// Activation reads extension.js and what it shares with the rest; the part that speaks to Redis is a file of its own,
// read on first use. esbuild splits ES modules only, and VS Code requires CommonJS, so each file is turned afterwards.
const { mkdirSync, readdirSync, rmSync, writeFileSync } = require('node:fs');
const { basename, join } = require('node:path');
const esbuild = require('esbuild');

const production = process.argv.includes('--production');
const watch = process.argv.includes('--watch');
const outdir = join(__dirname, 'dist');

/** Files of an earlier build under names that are not used any more. */
const OWN_FILES = /^(extension|engine|shared)\b.*\.js$/;

/** @type {import('esbuild').Plugin} */
const toCommonJs = {
  name: 'to-common-js',
  setup(build) {
    build.onEnd(async ({ errors, outputFiles = [] }) => {
      if (errors.length > 0) return;
      const files = await Promise.all(
        outputFiles.map(async ({ path, text }) => {
          const { code } = await esbuild.transform(text, {
            format: 'cjs',
            platform: 'node',
            target: 'node20',
            minify: production,
            sourcemap: production ? false : 'inline',
            sourcefile: basename(path),
            supported: { 'dynamic-import': false },
          });
          return [basename(path), code];
        }),
      );
      mkdirSync(outdir, { recursive: true });
      for (const name of readdirSync(outdir)) if (OWN_FILES.test(name)) rmSync(join(outdir, name));
      for (const [name, code] of files) {
        writeFileSync(join(outdir, name), code);
        console.log(`  dist/${name}  ${(code.length / 1000).toFixed(1)} kB`);
      }
    });
  },
};

/** @type {import('esbuild').BuildOptions} */
const options = {
  entryPoints: { extension: 'src/editor/extension.ts' },
  outdir,
  bundle: true,
  splitting: true,
  chunkNames: 'shared-[hash]',
  platform: 'node',
  format: 'esm',
  target: 'node20',
  external: ['vscode'],
  minify: production,
  sourcemap: production ? false : 'inline',
  write: false,
  logLevel: 'info',
  plugins: [toCommonJs],
};

(async () => {
  if (!watch) return esbuild.build(options);
  const context = await esbuild.context(options);
  await context.watch();
})().catch(() => process.exit(1));
