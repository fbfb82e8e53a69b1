/** After a refusal the service sends the browser back to this page, with ?refused or ?busy. */
const parameters = new URLSearchParams(location.search);
for (const reason of ['refused', 'busy']) {
  document.getElementById(reason).hidden = !parameters.has(reason);
}
