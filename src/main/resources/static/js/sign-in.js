/** After a refusal the service sends the browser back to this page, with ?refused. */
document.getElementById('refused').hidden = !new URLSearchParams(location.search).has('refused');
