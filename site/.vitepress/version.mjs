import fs from 'node:fs';
import path from 'node:path';
import { root } from './repository.mjs';

const pom = fs.readFileSync(path.join(root, 'pom.xml'), 'utf8');

/** The version in pom.xml, such as 0.1.0-SNAPSHOT. */
export const version = pom.match(/^ {2}<version>(.+)<\/version>/m)[1];

/** The folder of this version's documentation: major and minor number, such as 0.1. */
export const folder = version.match(/^\d+\.\d+/)[0];

/** The versions that have documentation, newest first. */
export const versions = JSON.parse(fs.readFileSync(path.join(root, 'site/versions.json'), 'utf8'));

if (!versions.includes(folder)) {
  throw new Error(`Unknown version '${folder}'. Add it to site/versions.json.`);
}
