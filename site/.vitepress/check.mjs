import fs from 'node:fs';
import path from 'node:path';

/**
 * Fails if a link of the site leads nowhere, anchors and downloads included, or if a page loads anything from another
 * host. VitePress itself checks only links to pages. The list of versions is the only page outside of the base.
 */
export function check(outDir, base, versionList) {
  const pages = fs
    .readdirSync(outDir, { recursive: true })
    .filter((file) => file.endsWith('.html'))
    .map((file) => file.replaceAll('\\', '/'));
  const contents = new Map(pages.map((page) => [page, fs.readFileSync(path.join(outDir, page), 'utf8')]));
  const anchors = new Map(
    pages.map((page) => [page, new Set([...contents.get(page).matchAll(/ id="([^"]+)"/g)].map(([, id]) => id))]),
  );
  const problems = [];
  for (const [page, html] of contents) {
    for (const [, external] of html.matchAll(/<(?:script|link|img)\b[^>]*?\b(?:src|href)="((?:https?:)?\/\/[^"]+)"/g)) {
      problems.push(`${page}: loads ${external}`);
    }
    for (const [, href] of html.matchAll(/<a\b[^>]*?\bhref="([^"]+)"/g)) {
      const url = new URL(href, `file://${base}${page}`);
      if (url.protocol !== 'file:' || url.pathname === versionList) continue;
      const file = decodeURIComponent(url.pathname.slice(base.length)).replace(/(^|\/)$/, '$1index.html');
      const hash = decodeURIComponent(url.hash.slice(1));
      if (!url.pathname.startsWith(base) || !fs.existsSync(path.join(outDir, file))) {
        problems.push(`${page}: unknown page or file '${href}'`);
      } else if (hash && !anchors.get(file)?.has(hash)) {
        problems.push(`${page}: unknown anchor '${href}'`);
      }
    }
  }
  if (problems.length > 0) throw new Error(`The site has invalid links:\n${problems.join('\n')}`);
}
