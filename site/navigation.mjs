// The groups of the sidebar. An entry is a page or a folder; a folder stands for its pages that no entry names, sorted by
// file name. The build fails if an entry names a missing page or if a page of docs/ is in no group.
export const groups = [
  {
    text: 'Get started',
    pages: ['README.md', 'docs/get-started.md', 'examples/'],
  },
  {
    text: 'Guides',
    pages: [
      'docs/guides/install.md',
      'docs/guides/model-records.md',
      'docs/guides/use-binary-classes.md',
      'docs/guides/view-differences.md',
      'docs/guides/feeds.md',
      'docs/guides/radius.md',
      'docs/guides/rules.md',
      'docs/guides/tables.md',
      'docs/guides/measures.md',
      'docs/guides/regions.md',
      'docs/guides/outputs.md',
      'docs/guides/evolve-schemas.md',
      'docs/guides/queries.md',
      'docs/guides/page.md',
      'docs/guides/cluster.md',
      'docs/guides/security.md',
      'docs/guides/kubernetes.md',
      'docs/guides/monitoring.md',
      'docs/guides/upgrade.md',
      'docs/guides/embed.md',
      'docs/guides/extend.md',
      'docs/guides/write-a-feed.md',
      'docs/guides/write-a-step.md',
      'docs/guides/write-an-output.md',
      'docs/guides/',
    ],
  },
  {
    text: 'Reference',
    pages: [
      'docs/reference/configuration.md',
      'docs/reference/expressions.md',
      'docs/reference/regular-expressions.md',
      'docs/reference/schemas.md',
      'docs/reference/http.md',
      'docs/reference/cli.md',
      'docs/reference/metrics.md',
      'docs/reference/messages.md',
      'docs/reference/',
    ],
  },
  {
    text: 'Explanation',
    pages: ['docs/explanation/architecture.md', 'docs/explanation/exactly-once.md', 'docs/explanation/', 'docs/glossary.md'],
  },
  {
    text: 'Benchmarks',
    pages: ['docs/benchmarks/'],
    collapsed: true,
  },
  {
    text: 'Project',
    pages: ['CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md'],
    collapsed: true,
  },
];

// Titles for entries whose first heading does not fit into the sidebar.
export const titles = {
  'README.md': 'Overview',
  'examples/': 'Examples',
  'docs/benchmarks/README.md': 'Overview',
  'SECURITY.md': 'Report a vulnerability',
};
