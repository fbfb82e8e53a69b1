import { groups, titles } from '../navigation.mjs';
import { folders, pages, title } from './repository.mjs';
import { siteLink } from './links.mjs';

/** Returns the sidebar for the groups of navigation.mjs. */
export function sidebar() {
  const named = new Set(groups.flatMap((group) => group.pages));
  const expand = (entry) => {
    if (pages.includes(entry) || folders.includes(entry)) return [entry];
    if (!entry.endsWith('/')) throw new Error(`Unknown page '${entry}' in site/navigation.mjs.`);
    return pages.filter((page) => page.startsWith(entry) && !named.has(page));
  };
  const result = groups.map(({ text, pages: entries, collapsed }) => ({
    text,
    collapsed,
    items: entries.flatMap(expand).map((file) => ({ text: titles[file] ?? title(file), link: siteLink(file) })),
  }));
  const links = new Set(result.flatMap((group) => group.items.map((item) => item.link)));
  const missing = pages.filter((page) => !links.has(siteLink(page)));
  if (missing.length > 0) {
    throw new Error(`Pages in no group: ${missing.join(', ')}. Add them to site/navigation.mjs.`);
  }
  return result.filter((group) => group.items.length > 0);
}
