// Bundles the extension into dist/. `node esbuild.js [--watch] [--production]`
const esbuild = require('esbuild');

const production = process.argv.includes('--production');
const watch = process.argv.includes('--watch');

/** @type {import('esbuild').BuildOptions} */
const options = {
  entryPoints: { extension: 'src/editor/extension.ts' },
  outdir: 'dist',
  bundle: true,
  platform: 'node',
  format: 'cjs',
  target: 'node20',
  external: ['vscode'],
  minify: production,
  sourcemap: production ? false : 'linked',
  logLevel: 'info',
};

(async () => {
  if (!watch) return esbuild.build(options);
  const context = await esbuild.context(options);
  await context.watch();
})().catch(() => process.exit(1));
