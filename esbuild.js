// Bundles the extension into dist/. `node esbuild.js [--watch] [--production]`
//
// Activation reads extension.js and what it shares with the rest; the part that speaks to Redis is a file of its own,
// read on first use. esbuild splits ES modules only, and VS Code requires CommonJS, so each file is turned afterwards.
const { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } = require('node:fs');
const { basename, join } = require('node:path');
const esbuild = require('esbuild');

const production = process.argv.includes('--production');
const watch = process.argv.includes('--watch');
const outdir = join(__dirname, 'dist');

/** Files of an earlier build under names that are not used any more. */
const OWN_FILES = /^(extension|engine|shared)\b.*\.js$/;

/**
 * The licence of every package that has code in the bundle, as their licences ask for. A package without one fails the
 * build: it must not be shipped.
 * @param {import('esbuild').Metafile} metafile
 */
function describeLicences(metafile) {
  const inputs = Object.values(metafile.outputs).flatMap((output) => Object.entries(output.inputs));
  const used = inputs.filter(([, { bytesInOutput }]) => bytesInOutput > 0);
  const folders = used.map(([path]) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0]);
  const sections = [...new Set(folders)].sort().flatMap((folder) => {
    if (folder === undefined) return [];
    const { name, version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const file = readdirSync(folder).find((entry) => /^licen[cs]e(\.|$)/i.test(entry));
    if (!file) throw new Error(`${name} has no licence file, so it cannot be in the package.`);
    const text = readFileSync(join(folder, file), 'utf8').trim();
    return [`${name} ${version} (${license})\n${'-'.repeat(80)}\n${text}\n`];
  });
  return `The extension contains code of these packages.\n\n${sections.join('\n\n')}`;
}

/** @type {import('esbuild').Plugin} */
const toCommonJs = {
  name: 'to-common-js',
  setup(build) {
    build.onEnd(async ({ errors, outputFiles = [], metafile }) => {
      if (errors.length > 0 || !metafile) return;
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
      writeFileSync(join(outdir, 'THIRD-PARTY-NOTICES.txt'), describeLicences(metafile));
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
  metafile: true,
  logLevel: 'info',
  plugins: [toCommonJs],
};

(async () => {
  if (!watch) return esbuild.build(options);
  const context = await esbuild.context(options);
  await context.watch();
})().catch(() => process.exit(1));
