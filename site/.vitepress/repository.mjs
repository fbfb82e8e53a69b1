// Finds the pages of the site and the files that they link to. All paths are relative to the repository, with '/'.
import fs from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../..', import.meta.url));

const read = (file) => fs.readFileSync(path.join(root, file), 'utf8');

const files = (folder, recursive) =>
  fs
    .readdirSync(path.join(root, folder), { recursive, withFileTypes: true })
    .filter((entry) => entry.isFile())
    // Node.js 18 names the entry's folder 'path', later versions 'parentPath'.
    .map((entry) => path.relative(root, path.join(entry.parentPath ?? entry.path, entry.name)).replaceAll('\\', '/'))
    // Skips the output of examples, as .gitignore does.
    .filter((file) => !/\.bin$|(^|\/)data\//.test(file))
    .sort();

/** The Markdown files of the repository's folder and of docs/. */
export const pages = [...files('.', false), ...files('docs', true)].filter((file) => file.endsWith('.md'));

/** Returns the path of a page on the site: README.md is the home page. */
export const sitePath = (page) => {
  if (page === 'README.md') return 'index.md';
  return page.startsWith('docs/') ? page.slice('docs/'.length) : `project/${page.toLowerCase()}`;
};

export const title = (page) => read(page).match(/^# (.+)$/m)?.[1].replaceAll('`', '') ?? page;

// Languages of the files that become pages with highlighted text. Other files, such as data, are downloads.
const languages = { java: 'java', py: 'python', sh: 'sh', yaml: 'yaml', yml: 'yaml' };

export const language = (file) => languages[path.extname(file).slice(1)];

/** Returns what a link of a page leads to, if that is a file or folder of the repository. A folder ends with '/'. */
export function target(page, href) {
  if (/^([a-z]+:|[#/])/i.test(href)) return undefined;
  const file = path.posix.join(path.posix.dirname(page), decodeURI(href.replace(/[?#].*$/, '')));
  if (file.startsWith('..')) return undefined;
  const stats = fs.statSync(path.join(root, file), { throwIfNoEntry: false });
  if (!stats) return undefined;
  return stats.isDirectory() ? file.replace(/\/?$/, '/') : file;
}

const linked = new Set(
  pages.flatMap((page) => [...read(page).matchAll(/(?<!!\[[^\]]*)\]\(([^)\s]+)\)/g)].map(([, href]) => target(page, href))),
);
linked.delete(undefined);

/** The folders that pages link to. docs/ and its folders lead to pages. */
export const folders = [...linked].filter((file) => file.endsWith('/') && !file.startsWith('docs/'));

/** The files that pages or lists of folders link to, without the pages themselves. */
export const linkedFiles = [
  ...new Set([...[...linked].filter((file) => !file.endsWith('/')), ...folders.flatMap((folder) => files(folder, true))]),
]
  .filter((file) => !pages.includes(file))
  .sort();

// The comments that describe a file: at its beginning in YAML and Python, of the first class in Java.
const comments = { java: /\/\*\*([^]*?)\*\//, python: /^"""([^]*?)"""/, yaml: /^((?:#.*\n)+)/ };

/** Returns the first sentence of the comment that describes a file. */
function summary(file) {
  if (!language(file)) return '';
  const comment = read(file)
    .match(comments[language(file)])?.[1]
    // Commands are indented.
    .replace(/:\n# {2,}[^]*/, '.')
    .replace(/^\s*[#*]/gm, '')
    .replace(/\s+/g, ' ')
    .trim();
  return comment?.match(/^.+?\.(?= |$)/)?.[0].replace(/\{@\w+ ([^}]*)\}/g, '$1') ?? '';
}

/** Returns the Markdown of a file's or a folder's page. */
export function content(file) {
  if (!file.endsWith('/')) return `# ${file}\n\n\`\`\`\`\`${language(file)}\n${read(file).trimEnd()}\n\`\`\`\`\`\n`;
  const rows = linkedFiles
    .filter((other) => other.startsWith(file))
    .map((other) => `| [${other.slice(file.length)}](/${other}) | ${summary(other).replace(/[<>{}[\]|`*_]/g, '\\$&')} |`);
  return `# ${file}\n\n| file | content |\n|---|---|\n${rows.join('\n')}\n`;
}
