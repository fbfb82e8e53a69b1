import { folders, language, linkedFiles, pages, root, sitePath, target } from './repository.mjs';
import path from 'node:path';

/** Returns the path on the site of a page, file or folder of the repository. */
export function siteLink(file) {
  if (pages.includes(file)) return `/${sitePath(file)}`;
  if (file.startsWith('docs/') && file.endsWith('/')) {
    const first = pages.find((page) => page.startsWith(file));
    return first && `/${sitePath(first)}`;
  }
  if (folders.includes(file)) return `/files/${file}index.md`;
  if (linkedFiles.includes(file)) return `/files/${file}${language(file) ? '.html' : ''}`;
  return undefined;
}

/**
 * Makes relative links of the repository lead to the site. Files outside docs/ become pages or downloads of the site
 * rather than links to a repository: they then have the version of the documentation and need no network.
 */
export function repositoryLinks(md, base) {
  md.core.ruler.push('repository-links', (state) => {
    const { realPath, path: file } = state.env;
    const page = path.relative(root, realPath ?? file).replaceAll('\\', '/');
    const generated = page.startsWith('site/');
    for (const token of state.tokens.flatMap((block) => block.children ?? [])) {
      if (token.type !== 'link_open') continue;
      const href = token.attrGet('href');
      const found = generated ? target('.', href.slice(1)) : target(page, href);
      const link = found && siteLink(found);
      if (!link) continue;
      if (linkedFiles.includes(found) && !language(found)) {
        token.attrSet('href', base + link.slice(1));
        token.attrSet('download', '');
      } else {
        token.attrSet('href', link + (href.match(/#.*$/)?.[0] ?? ''));
      }
    }
  });
}
