/** After a failed sign-in, the service redirects to this page with the reason as a parameter. */
const parameters = new URLSearchParams(location.search);
for (const reason of ['refused', 'busy', 'no-role', 'not-authenticated', 'other-issuer', 'provider']) {
  document.getElementById(reason).hidden = !parameters.has(reason);
}

/**
 * A navigation from an identity provider does not send the session cookie (SameSite=Strict). A navigation that this
 * page starts sends it.
 */
if (parameters.has('signed-in')) {
  location.replace('/');
} else {
  showMethods();
}

async function showMethods() {
  const { passwords, providers } = await (await fetch('/api/sign-in')).json();
  document.querySelector('form').hidden = !passwords;
  const links = providers.map(({ name, path }) => {
    const link = document.createElement('a');
    link.href = path;
    link.textContent = `Sign in with ${name}`;
    return link;
  });
  const nav = document.getElementById('providers');
  nav.replaceChildren(...links);
  nav.hidden = links.length === 0;
}
