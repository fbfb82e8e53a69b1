// Not a module: modules run after the first paint, which would show the other theme briefly.
{
  const theme = localStorage.getItem('theme');
  if (theme) {
    document.documentElement.dataset.theme = theme;
  }
}
