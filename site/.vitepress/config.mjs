import fs from 'node:fs';
import path from 'node:path';
import { defineConfig } from 'vitepress';
import { check } from './check.mjs';
import { repositoryLinks } from './links.mjs';
import { language, linkedFiles, pages, root, sitePath } from './repository.mjs';
import { sidebar } from './sidebar.mjs';
import { folder, version, versions } from './version.mjs';

// The path on the server that contains the folders of the versions, with '/' at both ends.
const site = process.env.SITE_BASE ?? '/';
const base = `${site}${folder}/`;
const output = path.join(root, 'target/site');
const copy = (from, to) => {
  fs.mkdirSync(path.dirname(to), { recursive: true });
  fs.copyFileSync(path.join(root, from), to);
};

export default defineConfig({
  title: 'Millrace',
  titleTemplate: `:title | Millrace ${folder}`,
  description: 'Rules over feeds of binary records, stored in Apache Geode',
  lang: 'en',
  base,
  // The repository rather than docs/, so that README.md, CHANGELOG.md and other pages of the project are pages here too.
  srcDir: '..',
  srcExclude: fs
    .readdirSync(root, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && !['docs', 'site'].includes(entry.name))
    .map((entry) => `${entry.name}/**`),
  rewrites: (page) => (pages.includes(page) ? sitePath(page) : page.replace(/^site\//, '')),
  outDir: path.join(output, folder),
  head: [['link', { rel: 'icon', type: 'image/svg+xml', href: `${base}favicon.svg` }]],
  markdown: {
    // Comments in these themes are easier to read than in VitePress's default.
    theme: { light: 'github-light-default', dark: 'github-dark-default' },
    // The anchors of Git hosts, so that a link works there and here.
    anchor: { slugify: (heading) => heading.toLowerCase().replace(/[^\p{L}\p{N}\p{M}_\- ]/gu, '').replaceAll(' ', '-') },
    config: (md) => repositoryLinks(md, base),
  },
  themeConfig: {
    logo: '/favicon.svg',
    nav: [
      {
        text: version,
        items: [
          { text: 'Changelog', link: '/project/changelog' },
          // VitePress adds the base to links; the list of versions is one folder above.
          { text: 'All versions', link: '/../index.html', target: '_self' },
        ],
      },
    ],
    sidebar: sidebar(),
    outline: [2, 3],
    search: { provider: 'local', options: { detailedView: true } },
  },
  vite: {
    build: { chunkSizeWarningLimit: 4000 },
    plugins: [
      {
        // Pages outside of site/ have no node_modules in which Vite would find Vue for rendering.
        name: 'vue-of-site',
        enforce: 'pre',
        resolveId: (id, _, { ssr }) => (ssr && /^vue(\/|$)/.test(id) ? { id, external: true } : undefined),
      },
    ],
  },
  buildEnd({ outDir }) {
    copy('src/main/resources/millrace/page/favicon.svg', path.join(outDir, 'favicon.svg'));
    linkedFiles.filter((file) => !language(file)).forEach((file) => copy(file, path.join(outDir, 'files', file)));
    check(outDir, base, `${site}index.html`);
    copy('site/versions.json', path.join(output, 'versions.json'));
    fs.writeFileSync(
      path.join(output, 'index.html'),
      `<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>Millrace documentation</title>
<body style="font: 1rem/1.6 system-ui, sans-serif; max-width: 40rem; margin: 4rem auto; padding: 0 1.5rem">
<h1>Millrace documentation</h1>
<ul>
${versions.map((each) => `<li><a href="${each}/">Version ${each}</a></li>`).join('\n')}
</ul>
</body>
</html>
`,
    );
  },
});
