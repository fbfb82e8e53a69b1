// Not a module: modules run after the first paint, which would flash in the other theme.
{
  const kept = localStorage.getItem('theme');
  if (kept) {
    document.documentElement.dataset.theme = kept;
  }
}
