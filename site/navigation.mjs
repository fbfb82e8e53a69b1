// The groups of the sidebar. An entry is a page or a folder; a folder stands for its pages that no entry names, sorted by
// file name. The build fails if an entry names a missing page or if a page of docs/ is in no group.
export const groups = [
  {
    text: 'Get started',
    pages: ['README.md', 'examples/', 'docs/upgrade.md'],
  },
  {
    text: 'Guides',
    pages: [
      'docs/operating.md',
      'docs/cluster.md',
      'docs/security.md',
      'docs/page.md',
      'docs/feeds.md',
      'docs/radius.md',
      'docs/tables.md',
      'docs/measures.md',
      'docs/questions.md',
      'docs/day-book.md',
      'docs/guides/',
    ],
  },
  {
    text: 'Reference',
    pages: [
      'docs/schemas.md',
      'docs/expressions.md',
      'docs/regular-expressions.md',
      'docs/metrics.md',
      'docs/formats.md',
      'docs/reference/',
    ],
  },
  {
    text: 'Explanation',
    pages: ['docs/architecture.md', 'docs/decisions.md', 'docs/explanation/'],
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
  'SECURITY.md': 'Report a vulnerability',
};
