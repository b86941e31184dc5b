'use strict';

const { readdir, readFile, writeFile } = require('node:fs/promises');
const path = require('node:path');

/** The npm package folder that a bundled file belongs to, or undefined for our own files. */
const packageFolder = (file) => /^(.*node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(file)?.[1];

/**
 * Writes the licence text of every npm package in an esbuild bundle into one file, since MIT and its like ask
 * that the text goes with every copy. A bundled package without a licence file fails the build.
 *
 * @param metafile esbuild's list of what went into the bundle
 * @param target the file to write
 */
exports.writeLicences = async (metafile, target) => {
  const folders = [...new Set(Object.keys(metafile.inputs).map(packageFolder).filter(Boolean))].sort();
  const parts = await Promise.all(
    folders.map(async (folder) => {
      const { name, version, license } = JSON.parse(
        await readFile(path.join(folder, 'package.json'), 'utf8'),
      );
      const file = (await readdir(folder)).find((entry) => /^licen[cs]e/i.test(entry));
      if (!file) throw new Error(`${name} is bundled, but has no licence file`);
      const text = await readFile(path.join(folder, file), 'utf8');
      return `## ${name} ${version} (${license})\n\n${text.trim()}\n`;
    }),
  );
  await writeFile(target, `# Licences of the libraries in this package\n\n${parts.join('\n')}`);
};
